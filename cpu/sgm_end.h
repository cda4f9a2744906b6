/* Undefines the names that sgm_vectors.h defines. */
#undef vec
#undef V
#undef FN
#undef NAME
#undef SGM_IS
#undef SGM_IS_any
#undef SGM_IS_avx2
#undef SGM_IS_avx512
#undef SGM_JOIN
#undef SGM_PASTE
#undef SGM_SET
#undef SGM_TARGET
#undef SGM_SHUFFLE
