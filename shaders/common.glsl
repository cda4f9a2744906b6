// The beginning of every shader.

// False for infinity and NaN, whose exponent bits are all set. Compilers may assume that isnan and isinf are false.
bool is_value(float d) { return (floatBitsToUint(d) & 0x7f800000u) != 0x7f800000u; }

// The entry of the colour table for a disparity: `minimum` is that of the first colour, `width` the range from the
// first colour to the last; `scale` is 255 / width, 0 if width is 0. colour_index and colour_picture in map/colour.c
// apply the same rule and give the same bytes; change both together.
int colour_index(float d, float minimum, float width, float scale) {
    return int(roundEven(clamp(d - minimum, 0.0, width) * scale));
}
