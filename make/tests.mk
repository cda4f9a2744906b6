# Tests, fuzzing and benchmarks. Every tests/unit/ROOM/test_*.c is a program of its own.

UNITS := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)
TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(notdir $(UNITS)))
vpath test_%.c $(sort $(dir $(UNITS)))
HELPERS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
CMOCKA = $(shell pkg-config --libs cmocka)
# The tests are a hundred programs, which lld, if the compiler finds it, links in a third of the time. The compiler's
# default linker links everything else.
LLD := $(shell $(CC) -fuse-ld=lld -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=lld)
$(TESTS:%=%.o): | cmocka
cmocka:
	@pkg-config --exists cmocka || { echo "The tests need cmocka, Debian's package libcmocka-dev."; exit 1; }
.PHONY: cmocka
TEST_LIBRARY := $(BUILD)/tests/helpers.a
$(TEST_LIBRARY): $(filter-out %/keep_loaded.o,$(HELPERS))
	$(call say,AR)rm -f $@ && $(AR) rcT $@ $^

$(BUILD)/tests/test_%.o: test_%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c -o $@ $<
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/tests/support/keep_loaded.o $(TEST_LIBRARY) $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) $(LLD) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS_ALL) $(CMOCKA)

# In place of those in $(PARTS): see gpu/faults.h.
ifeq ($(CUDA),1)
FAULTY := $(BUILD)/tests/faulty/graph.o $(BUILD)/tests/faulty/ncc_small.o
$(FAULTY): $(BUILD)/tests/faulty/%.o: gpu/%.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,NVCC)$(NVCC) $(NVCCFLAGS_ALL) -DSV_FAULTS -ccbin $(CXX) -c -o $@ $<
$(BUILD)/tests/test_gpu_frames: $(FAULTY)
endif

# Preloaded by tests/long/monkey.
$(BUILD)/tests/keep_loaded.so: tests/support/keep_loaded.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra $(ERRORS) -shared -fPIC -o $@ $<

# The models of the tests of learned models, and ONNX Runtime to run them, from PyPI, in a folder that all builds share.
# Without a network the tests are skipped.
MODELS = build-models
models: $(MODELS)/made
$(MODELS)/made: tests/support/make_models.py
	@mkdir -p $(@D)
	[ -e $(@D)/python/bin/pip ] || python3 -m venv $(@D)/python
	$(@D)/python/bin/python -c 'import onnx, onnxruntime' 2>/dev/null || $(@D)/python/bin/pip install -q onnx onnxruntime
	ln -sf $$(realpath $(@D)/python/lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*) $(@D)/libonnxruntime.so
	$(@D)/python/bin/python $< $(@D)
	@touch $@
.PHONY: models

unit-tests: $(TESTS)
other-programs: all for-installing examples $(BUILD)/assets/make_demo $(BUILD)/bench
check-programs: other-programs unit-tests
# What a build without OpenCV is tested with, and all programs that are no tests.
check-boards: other-programs $(BUILD)/tests/test_board $(BUILD)/tests/test_board_rigs
check: check-programs
	BUILD=$(BUILD) tests/run

# Tests that take too long to run for every change, with sanitizers. './setup.sh long' installs what they need first.
SANITIZED := build-cuda0-address-undefined-clang
WITH_SANITIZERS = BUILD=$(SANITIZED) CUDA=0 CC=clang CXX=clang++ SANITIZE=address,undefined
MONKEY_SECONDS ?= 600
SOAK_SECONDS ?= 3600
CAMERA_SECONDS ?= 900
check-long: check-programs
	$(MAKE) $(WITH_SANITIZERS) all $(SANITIZED)/tests/keep_loaded.so
	$(MAKE) models
	tests/long/fuzz_models.py $(SANITIZED)/stereoview
	tests/long/monkey $(SANITIZED)/stereoview $(MONKEY_SECONDS)
	tests/long/monkey --soak $(BUILD)/stereoview $(SOAK_SECONDS)
	if $(BUILD)/tests/test_gpu --probe; then \
		tests/long/monkey --soak $(BUILD)/stereoview 600 --backend cuda --demo -d 0:31 --loop; fi
	$(MAKE) check-cameras check-gpu
	BUILD=$(BUILD) tests/long/check-cameras "tests/long/monkey --cameras $(BUILD)/stereoview $(CAMERA_SECONDS)"
	$(MAKE) races
	$(MAKE) fuzz
	BUILD=$(BUILD) EVERY=1 tests/run e2e_places
	BUILD=$(BUILD) SV_TEST_LONG=1 tests/run test_selfalign test_align_pictures test_stamps
	for board in charuco:5x4:45mm aprilgrid:3x2:62mm; do \
	    BOARD=$$board BUILD=$(BUILD) tests/run e2e_calibrate_window || exit 1; done
	BUILD=$(BUILD) tests/long/check-arm
	BUILD=$(BUILD) tests/long/check-packages
	BUILD=$(BUILD) tests/long/check-wheel
.PHONY: check-long

# Data races, with ThreadSanitizer.
RACED := build-cuda0-thread-clang
races:
	$(MAKE) BUILD=$(RACED) CUDA=0 CC=clang CXX=clang++ SANITIZE=thread all unit-tests
	BUILD=$(RACED) tests/long/races
.PHONY: races

# The lines that the tests run, by room. Those left out run longer than a minute, or test what is not the program.
COVERED := build-coverage
NOT_COVERED := e2e e2e_bench e2e_build e2e_house e2e_install e2e_promises
coverage:
	rm -rf $(COVERED)
	$(MAKE) BUILD=$(COVERED) CUDA=0 CFLAGS=--coverage CXXFLAGS=--coverage LDFLAGS=--coverage check-programs
	-BUILD=$(COVERED) tests/run $(filter-out $(NOT_COVERED),$(basename $(notdir $(wildcard tests/e2e/*.sh) $(UNITS))))
	tests/coverage $(COVERED)
.PHONY: coverage

# On a machine with an NVIDIA card; tests/check-gpu also runs on its own, without make.
check-gpu: check-programs
	BUILD=$(BUILD) tests/check-gpu

# ---- Fuzzing, with clang's libFuzzer: FUZZ_SECONDS for each kind of input ----

FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
# libFuzzer steers by what runs in the folders that read such input. The unit tests take the same objects.
ifneq ($(and $(findstring clang,$(CC)),$(findstring address,$(SANITIZE))),)
$(foreach n,stereo base map rig capture app,$(BUILD)/$n/%.o) $(BUILD)/tests/fuzz/%.o: private COMMON += -fsanitize=fuzzer-no-link
endif
$(FUZZERS): $(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/support/script.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) $(LLD) -fsanitize=fuzzer -o $@ $^ $(LDLIBS_ALL)
# What one build with clang and these sanitizers serves.
sanitized: unit-tests $(FUZZERS)
fuzz:
	$(MAKE) $(WITH_SANITIZERS) $(FUZZERS:$(BUILD)/%=$(SANITIZED)/%)
	BUILD=$(SANITIZED) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/fuzz
.PHONY: fuzz sanitized

# With two emulated cameras in a virtual machine; skipped without QEMU.
check-cameras: all $(BUILD)/tests/test_camera
	BUILD=$(BUILD) tests/long/check-cameras
.PHONY: check-cameras

# ---- Measurements ----

# Everything that the tables of README, BENCHMARKS and docs/benchmark-tables.md are made of; hours. DATA is the folder of the
# real scenes, PEERS that of other programs' sources (benchmarks/README.md).
measurements: accuracy spoilt still beside rigs bench
.PHONY: measurements

DATA ?= ../shared/data
# Scores all methods, qualities and fills; needs python3-opencv, as the next ones do.
accuracy: all $(BUILD)/assets/make_demo
	tests/bench/accuracy.py $(BUILD)/stereoview $(BUILD)/assets/make_demo --data $(DATA)
	tests/bench/page.py --measured accuracy.tsv
.PHONY: accuracy

# Opens the real pairs, right and spoilt, and checks what the program reports.
spoilt: all
	tests/bench/spoilt.py $(BUILD)/stereoview --data $(DATA) --two 3 --table benchmarks/spoilt.tsv
	tests/bench/page.py --measured spoilt.tsv
.PHONY: spoilt

# What the steps beside a match cost; also needs python3-cffi.
beside: library
	PYTHONPATH=python LD_LIBRARY_PATH=$(BUILD) tests/bench/beside.py --data $(DATA) --table benchmarks/beside.tsv
	tests/bench/page.py --measured beside.tsv
.PHONY: beside

# How still the maps of noisy pictures are, with the temporal filter and without.
still: all $(BUILD)/assets/make_demo
	tests/bench/still.py $(BUILD)/stereoview $(BUILD)/assets/make_demo --data $(DATA) --table benchmarks/still.tsv
	tests/bench/page.py --measured still.tsv
.PHONY: still

# Alignment without a board, and calibration with one.
rigs: all $(BUILD)/tests/test_align_pictures
	tests/bench/rigs.py $(BUILD)/stereoview $(BUILD)/tests/test_align_pictures --data $(DATA) --table benchmarks/rigs.tsv
	tests/bench/page.py --measured rigs.tsv
.PHONY: rigs

# ---- Speed ----

# The algorithms of papers and reports, to compare with; those in CUDA only with CUDA.
BASELINES = $(wildcard tests/bench/baseline/*.c)
ifeq ($(CUDA),1)
BASELINES += $(wildcard tests/bench/baseline/*.cu)
endif
BENCH = $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard tests/bench/*.c) $(BASELINES)))
# Other programs' kernels, from a folder with OpenCV's sources and NVIDIA's stereoDisparity_kernel.cuh.
ifneq ($(PEERS),)
PEER = $(BUILD)/tests/bench/peers
PEER_OBJECTS = $(patsubst %,$(PEER)/%.o,peers stereobm stereosgm)
BENCH += $(PEER_OBJECTS)
$(BUILD)/tests/bench/bench_cases.o: private CPPFLAGS += -DSV_PEERS=1
$(PEER)/peers.o: tests/bench/peers/peers.cu
$(PEER)/stereobm.o $(PEER)/stereosgm.o: $(PEER)/%.o: $(PEERS)/opencv_contrib/modules/cudastereo/src/cuda/%.cu
$(PEER_OBJECTS):
	@mkdir -p $(PEER)/opencv2 && touch $(PEER)/opencv2/cvconfig.h $(PEER)/opencv2/opencv_modules.hpp
	$(call say,NVCC)$(NVCC) -std=c++17 -O3 -w $(GENCODE) -DHAVE_OPENCV_CUDEV -I. -I$(PEER) -I$(PEERS) \
		$(patsubst %,-I$(PEERS)/opencv/modules/%/include,core imgproc features2d flann calib3d) \
		$(patsubst %,-I$(PEERS)/opencv_contrib/modules/%,cudev/include cudastereo/include cudastereo/src) \
		-ccbin $(CXX) -c -o $@ $<
endif
$(BUILD)/bench: $(BENCH) $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
$(BUILD)/tests/bench/baseline/%.o: private OPTIMISE = -O3

# Measures the speed of everything on every available backend, and writes its files of benchmarks/.
bench: $(BUILD)/bench
	tests/bench/measure $<
.PHONY: bench
