# stereoview: make, make check, make check-long, make races, make check-gpu, make check-cameras, make fuzz, make bench,
# make library, make install PREFIX=... DESTDIR=..., make uninstall, make deb, make clean
#
#   CUDA=0|1             without or with the CUDA backend (default: with, if nvcc is found)
#   OPENCV=0|1           without or with OpenCV, which --calibrate needs (default: with, if it is found with its module aruco)
#   CUDA_ARCHS="75 90"   compute capabilities (default: all that nvcc has from 75 up, see below)
#   SANITIZE=address,undefined | thread
#   WERROR=1             warnings are errors; what is up to date is not built again for it
#   V=1                  show the commands
#   BUILD=folder         (default: build, with a suffix for each of the above that is set)

CC ?= cc
CXX ?= c++
PREFIX ?= /usr/local
NVCC := $(firstword $(wildcard $(shell command -v nvcc 2>/dev/null) $(CUDA_HOME)/bin/nvcc /usr/local/cuda/bin/nvcc))

comma := ,
# Evaluated here, before CUDA gets its default below.
ifndef BUILD
BUILD := build$(if $(CUDA),-cuda$(CUDA))$(if $(OPENCV),-opencv$(OPENCV))$(if $(CUDA_ARCHS),-sm$(subst $() ,_,$(strip $(CUDA_ARCHS))))$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(findstring clang,$(CC)),-clang)
endif
override CUDA := $(or $(CUDA),$(if $(NVCC),1,0))
ifeq ($(filter 0 1,$(CUDA)),)
$(error CUDA is 0 or 1, not '$(CUDA)')
endif

ifeq ($(CUDA),1)
ifeq ($(NVCC),)
$(error CUDA=1, but there is no nvcc on PATH or in /usr/local/cuda/bin; install the CUDA Toolkit (11.8 to 13) or build with CUDA=0)
endif
endif

# ---- Libraries and flags ----

# The name for pkg-config and the Debian package of each library; setup.sh installs these packages.
NEEDED = glfw3:libglfw3-dev glew:libglew-dev libavformat:libavformat-dev libavcodec:libavcodec-dev \
	libavdevice:libavdevice-dev libswscale:libswscale-dev libavutil:libavutil-dev libpng:libpng-dev \
	yaml-0.1:libyaml-dev libxml-2.0:libxml2-dev imgui:libimgui-dev x11:libx11-dev
LIBRARIES = $(foreach n,$(NEEDED),$(firstword $(subst :, ,$n)))
ifneq ($(MAKECMDGOALS),clean)
ifeq ($(shell command -v pkg-config),)
$(error there is no pkg-config, which finds the libraries; './setup.sh demo' installs what is missing on Debian and Ubuntu)
endif
MISSING := $(shell for n in $(NEEDED); do pkg-config --exists $${n%:*} || echo $$n | cut -d: -f2; done)
ifneq ($(MISSING),)
$(error missing libraries, by their Debian packages: $(MISSING); './setup.sh demo' installs them on Debian and Ubuntu)
endif
endif

# The header of the markers is one of OpenCV's contrib modules, which not every OpenCV has.
HAS_OPENCV := $(shell pkg-config --exists opencv4 2>/dev/null && \
	$(CXX) -E -x c++ -include opencv2/aruco.hpp $$(pkg-config --cflags opencv4) /dev/null >/dev/null 2>&1 && echo 1)
override OPENCV := $(or $(OPENCV),$(HAS_OPENCV),0)
ifeq ($(filter 0 1,$(OPENCV)),)
$(error OPENCV is 0 or 1, not '$(OPENCV)')
endif
ifeq ($(OPENCV)$(HAS_OPENCV),1)
$(error OPENCV=1, but there is no opencv4 with opencv2/aruco.hpp; install Debian's libopencv-dev or build with OPENCV=0)
endif

CPPFLAGS += -I. -I$(BUILD) -D_GNU_SOURCE -DSV_CUDA=$(CUDA) $(shell pkg-config --cflags $(LIBRARIES) 2>/dev/null)
# The backends must agree to the bit, so there is no contraction of a*b+c and never -ffast-math.
ERRORS = $(if $(filter-out 0,$(WERROR)),-Werror)
# A variable may have the name of its type (frame *frame), which gcc's plain -Wshadow takes for shadowing.
SHADOW = -Wshadow$(if $(findstring clang,$(CC)),,=local)
# Sanitizers report functions and lines, and need no other debugging information.
DEBUG = $(if $(SANITIZE),-g1,-g)
# The program and the shared library are linked from the same objects.
SHARED = -fPIC -fvisibility=hidden
COMMON = $(DEBUG) -fopenmp $(SHARED) -ffp-contract=off -Wall -Wextra -Wpointer-arith -Wundef $(SHADOW) -MMD -MP $(ERRORS)
OPTIMISE ?= $(if $(SANITIZE),-O1,-O2)
CFLAGS_ALL = -std=c11 $(OPTIMISE) $(COMMON) -Wstrict-prototypes -Wmissing-prototypes -Wvla $(CFLAGS)
CXXFLAGS_ALL = -std=c++14 $(OPTIMISE) $(COMMON) $(CXXFLAGS)
LDFLAGS_ALL = -fopenmp -Wl,--as-needed $(LDFLAGS)
LDLIBS_ALL = $(shell pkg-config --libs $(LIBRARIES) 2>/dev/null) -lstdc++ -lpthread -lm
ifneq ($(SANITIZE),)
COMMON += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize-recover=undefined)
# clang vectorises no loop that they watch, and would warn of it.
COMMON += $(if $(findstring clang,$(CC)),-Wno-pass-failed)
LDFLAGS_ALL += -fsanitize=$(SANITIZE) $(if $(findstring clang,$(CC)),-fsanitize-link-c++-runtime)
endif

# The last two change no result: they let the compiler vectorise square roots and comparisons. Loops that a sanitizer
# watches gain little from -O3 and take minutes to compile.
$(BUILD)/cpu/%.o: private OPTIMISE = $(if $(SANITIZE),-O1,-O3) -fno-math-errno -fno-trapping-math
# With sanitizers, the optimiser takes longer with these files than it saves when they run, except for tests that
# compute much themselves.
ifneq ($(SANITIZE),)
$(BUILD)/render/%.o $(BUILD)/tests/test_%.o: private OPTIMISE = -O0
$(foreach t,align_pictures pyramid realigner,$(BUILD)/tests/test_$t.o): private OPTIMISE = -O1
endif
# Half of the time to compile them goes into checks of pointers that are null or overflow, and AddressSanitizer finds
# whatever is reached through those.
$(BUILD)/cpu/%.o: private COMMON += $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize=null$(comma)pointer-overflow)

# ---- Sources ----

ROOMS = stereo base map rig cpu library capture capture/ffmpeg capture/live capture/synthetic video \
	render/window render/view render/panel app app/options app/media app/calibrate app/play app/batch app/viewer
SOURCES := $(filter-out app/main.c,$(wildcard $(ROOMS:%=%/*.c)))
SOURCES := $(filter-out rig/board_none.c,$(SOURCES)) # one of the two files follows
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(patsubst %.cpp,$(BUILD)/%.o,$(wildcard render/panel/*.cpp)) $(BUILD)/shaders.o

ifeq ($(OPENCV),1)
OBJECTS += $(BUILD)/rig/board_opencv.o
$(BUILD)/rig/board_opencv.o: private CPPFLAGS += $(patsubst -I%,-isystem %,$(shell pkg-config --cflags opencv4))
# pkg-config names all of OpenCV. The markers are in aruco up to 4.6, and in objdetect too since then.
LDLIBS_ALL += $(filter %_core %_imgproc %_calib3d %_aruco %_objdetect,$(shell pkg-config --libs opencv4))
else
OBJECTS += $(BUILD)/rig/board_none.o
endif

ifeq ($(CUDA),1)
# Machine code for the lowest capability of each generation from 75 up and for 90, and PTX of the
# newest for later cards.
NVCC_HAS := $(patsubst compute_%,%,$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
WANTED := $(filter 75 80 86 89 90 100 120,$(NVCC_HAS))
CUDA_ARCHS := $(or $(strip $(CUDA_ARCHS)),$(WANTED),$(firstword $(NVCC_HAS)))
GENCODE := $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
	-gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS))
# -fmad=false is what -ffp-contract=off is above.
NVCCFLAGS_ALL = -std=c++17 -O3 -fmad=false -lineinfo -I. -DSV_CUDA=1 $(GENCODE) -MMD -MP \
	-Xcompiler $(subst $() ,$(comma),$(SHARED)),-Wall,-Wextra,-Wno-unused-parameter,$(SHADOW) $(if $(ERRORS),-Werror all-warnings) $(NVCCFLAGS)
OBJECTS += $(patsubst %.cu,$(BUILD)/%.o,$(wildcard gpu/*.cu))
CUDA_LIBS = -L$(dir $(realpath $(NVCC)))../lib64 -lcudart_static -ldl -lrt
LDLIBS_ALL += $(CUDA_LIBS)
# tests/gpu.c is C and allocates device memory.
$(BUILD)/tests/%.o: private CPPFLAGS += -isystem $(dir $(realpath $(NVCC)))../include
else
OBJECTS += $(BUILD)/gpu/none.o
endif

# ---- Targets ----

# $(call say,VERB) before a command prints a short line in place of the command, unless V=1.
say = $(if $(V),,@echo "  $1 $@" && )

.PHONY: all unit-tests other-programs check-programs check-boards check check-gpu install clean print-build print-cuda \
	print-nvcc
.DELETE_ON_ERROR:
.SECONDARY:
DEMO = demo_left.mp4 demo_right.mp4
all: $(BUILD)/stereoview $(DEMO:%=$(BUILD)/assets/%)
ifeq ($(CUDA)$(NVCC),0)
	@echo "Built without CUDA: the CPU backend alone. For the GPU install NVIDIA's CUDA Toolkit (11.8 to 13), so that nvcc is on PATH or in /usr/local/cuda/bin, and run make again."
endif
ifeq ($(OPENCV)$(HAS_OPENCV),0)
	@echo "Built without OpenCV: no --calibrate and no boards with markers. For them install OpenCV 4 with its contrib modules (Debian's libopencv-dev), and run make again."
endif

print-build:
	@echo $(BUILD)
print-cuda:
	@echo $(CUDA)
print-nvcc:
	@echo $(NVCC)

# Everything but main, so that a test needs only the libraries of the folders that it uses.
PARTS := $(BUILD)/parts.a
$(PARTS): $(OBJECTS) $(BUILD)/objects
	$(call say,AR)rm -f $@ && $(AR) rcT $@ $(OBJECTS)

$(BUILD)/stereoview: $(BUILD)/app/main.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# The program looks for its demo here, relative to itself.
$(BUILD)/assets/%.mp4: assets/%.mp4
	@mkdir -p $(@D)
	$(call say,CP)cp $< $@

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c -o $@ $<
$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CXX)$(CXX) $(CPPFLAGS) $(CXXFLAGS_ALL) -c -o $@ $<
$(BUILD)/%.o: %.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,NVCC)$(NVCC) $(NVCCFLAGS_ALL) -ccbin $(CXX) -c -o $@ $<

# Shaders become C strings: shaders/view.frag is shader_view_frag.
$(BUILD)/shaders.c: $(wildcard shaders/*)
	@mkdir -p $(@D)
	@for f in $^; do \
		echo "extern const char shader_$$(basename $$f | tr . _)[];"; \
		echo "const char shader_$$(basename $$f | tr . _)[] ="; \
		sed 's/\\/\\\\/g; s/"/\\"/g; s/^/    "/; s/$$/\\n"/' $$f; echo ";"; \
	done >$@
$(BUILD)/shaders.o: $(BUILD)/shaders.c
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS_ALL) -c -o $@ $<

# Changed flags rebuild everything. What only some objects have is private to them, so that it is not noted here, and
# WERROR, which changes no object, is noted as if it were always 1.
$(BUILD)/flags: ERRORS = -Werror
FLAGS = $(CC) $(CXX) $(CPPFLAGS) $(CFLAGS_ALL) $(CXXFLAGS_ALL) $(LDFLAGS_ALL) $(NVCC) $(NVCCFLAGS_ALL)
$(BUILD)/flags: force
	$(call note,$(FLAGS))
# Which objects there are changes when OpenCV is installed, too. make does not miss one that never was, because they are
# all .SECONDARY.
$(BUILD)/objects: force
	$(call note,$(OBJECTS))
# $(call note,TEXT) writes the text into the target, if that has another.
note = @mkdir -p $(@D) && { echo '$1' | cmp -s - $@ || echo '$1' >$@; }
.PHONY: force

# ---- The library: what stereo/stereoview.h declares, without a window, FFmpeg and OpenCV ----

VERSION := $(shell sed -n 's/^\#define SV_VERSION "\(.*\)"/\1/p' stereo/stereoview.h)
SONAME = libstereoview.so.1
LIBRARY := $(BUILD)/$(SONAME)
STATIC_LIBRARY := $(BUILD)/libstereoview.a
LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out stereo/alloc.c rig/board% rig/selfalign.c rig/alignment.c \
	rig/median.c rig/calibration_write.c,$(wildcard stereo/*.c rig/*.c cpu/*.c library/*.c)) map/colour.c) \
	$(filter $(BUILD)/gpu/%,$(OBJECTS))
LIBRARY_LIBS = $(shell pkg-config --libs yaml-0.1 libxml-2.0) $(if $(CUDA_LIBS),$(CUDA_LIBS) -lstdc++) -lpthread -lm
library: $(LIBRARY) $(STATIC_LIBRARY)
.PHONY: library

# clang links no sanitizer into a shared library.
$(LIBRARY): $(LIBRARY_OBJECTS) library/stereoview.map
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=library/stereoview.map \
		-Wl,--exclude-libs,ALL $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(LIBRARY_OBJECTS) $(LIBRARY_LIBS)

# One object, in which all that is hidden is local: an archive would show it to whoever links with it. By the linker of
# binutils, whichever is the default: what mold 1.10 combines of CUDA objects cannot be linked.
$(STATIC_LIBRARY): $(LIBRARY_OBJECTS)
	$(call say,AR)ld.bfd -r -o $(BUILD)/library.o $^ && objcopy --localize-hidden $(BUILD)/library.o && \
		rm -f $@ && $(AR) rc $@ $(BUILD)/library.o && rm $(BUILD)/library.o

# The examples, with the static library. tests/check-gpu runs match_cuda; tests/e2e_install.sh compiles match itself,
# with the installed files.
$(BUILD)/examples/stereoview/stereoview.h: stereo/stereoview.h
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/examples/%: examples/%.c examples/pictures.h $(BUILD)/examples/stereoview/stereoview.h $(STATIC_LIBRARY)
	$(call say,CC)$(CC) -std=c11 -Wall -Wextra $(ERRORS) $(if $(CUDA_LIBS),-isystem $(dir $(realpath $(NVCC)))../include) \
		-I$(@D) -fopenmp $(LDFLAGS) -o $@ $< $(STATIC_LIBRARY) $(LIBRARY_LIBS)
examples: $(BUILD)/examples/match $(if $(CUDA_LIBS),$(BUILD)/examples/match_cuda)
.PHONY: examples

# ---- Tests: every tests/test_*.c is a program of its own ----

TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
HELPERS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(wildcard tests/test_*.c tests/fuzz_*.c tests/bench*.c),$(wildcard tests/*.c)))
CMOCKA = $(shell pkg-config --libs cmocka)
# The tests are a hundred programs, which lld, if the compiler finds it, links in a third of the time. The compiler's
# default linker links everything else.
LLD := $(shell $(CC) -fuse-ld=lld -Wl,--version >/dev/null 2>&1 && echo -fuse-ld=lld)
$(TESTS:%=%.o): | cmocka
cmocka:
	@pkg-config --exists cmocka || { echo "The tests need cmocka, Debian's package libcmocka-dev."; exit 1; }
.PHONY: cmocka
TEST_LIBRARY := $(BUILD)/tests/helpers.a
$(TEST_LIBRARY): $(filter-out %/keep_loaded.o %/refuse.o,$(HELPERS))
	$(call say,AR)rm -f $@ && $(AR) rcT $@ $^

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/tests/keep_loaded.o $(TEST_LIBRARY) $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) $(LLD) -o $@ $^ $(LDLIBS_ALL) $(CMOCKA)

# Preloaded by tests/refuse.sh and tests/monkey.
$(BUILD)/tests/refuse.so $(BUILD)/tests/keep_loaded.so: $(BUILD)/tests/%.so: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra $(ERRORS) -shared -fPIC -o $@ $<

unit-tests: $(TESTS)
other-programs: all for-installing examples $(BUILD)/assets/make_demo $(BUILD)/tests/bench $(BUILD)/tests/refuse.so
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
	tests/fuzz_media.py $(SANITIZED)/stereoview
	tests/monkey $(SANITIZED)/stereoview $(MONKEY_SECONDS)
	tests/monkey --soak $(BUILD)/stereoview $(SOAK_SECONDS)
	if $(BUILD)/tests/test_gpu --probe; then \
		tests/monkey --soak $(BUILD)/stereoview 600 --backend cuda --demo -d 0:31 --loop; fi
	$(MAKE) check-cameras check-gpu
	BUILD=$(BUILD) tests/check-cameras "tests/monkey --cameras $(BUILD)/stereoview $(CAMERA_SECONDS)"
	$(MAKE) races
	$(MAKE) fuzz
	BUILD=$(BUILD) EVERY=1 tests/run e2e_memory e2e_refused e2e_stages
	BUILD=$(BUILD) SV_TEST_LONG=1 tests/run test_selfalign test_align_pictures test_stamps e2e_cluster
	for board in charuco:5x4:45mm aprilgrid:3x2:62mm; do \
	    BOARD=$$board BUILD=$(BUILD) tests/run e2e_calibrate_window || exit 1; done
	BUILD=$(BUILD) tests/check-arm
	BUILD=$(BUILD) tests/check-packages
.PHONY: check-long

# Data races, with ThreadSanitizer.
RACED := build-cuda0-thread-clang
races:
	$(MAKE) BUILD=$(RACED) CUDA=0 CC=clang CXX=clang++ SANITIZE=thread all unit-tests
	BUILD=$(RACED) tests/races
.PHONY: races

# On a machine with an NVIDIA card; tests/check-gpu also runs on its own, without make.
check-gpu: check-programs
	BUILD=$(BUILD) tests/check-gpu

# ---- Fuzzing, with clang's libFuzzer: FUZZ_SECONDS for each kind of input ----

FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz_*.c))
# libFuzzer steers by what runs in the folders that read such input. The unit tests take the same objects.
ifneq ($(and $(findstring clang,$(CC)),$(findstring address,$(SANITIZE))),)
$(foreach n,stereo base map rig capture app,$(BUILD)/$n/%.o) $(BUILD)/tests/fuzz_%.o: private COMMON += -fsanitize=fuzzer-no-link
endif
$(FUZZERS): $(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(BUILD)/tests/script.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) $(LLD) -fsanitize=fuzzer -o $@ $^ $(LDLIBS_ALL)
# What one build with clang and these sanitizers serves.
sanitized: unit-tests $(FUZZERS)
fuzz:
	$(MAKE) $(WITH_SANITIZERS) $(FUZZERS:$(BUILD)/%=$(SANITIZED)/%)
	BUILD=$(SANITIZED) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz
.PHONY: fuzz sanitized

# With two emulated cameras in a virtual machine; skipped without QEMU.
check-cameras: all $(BUILD)/tests/test_camera
	BUILD=$(BUILD) tests/check-cameras
.PHONY: check-cameras

# Scores all methods and writes the tables of BENCHMARKS.md, with the real scenes of the folder DATA; needs python3-opencv.
DATA ?= ../shared/data
accuracy: all $(BUILD)/assets/make_demo
	tests/accuracy.py $(BUILD)/stereoview $(BUILD)/assets/make_demo --data $(DATA)
.PHONY: accuracy

# ---- Benchmark ----

# The algorithms of papers and reports, to compare with; those in CUDA only with CUDA.
BASELINES = tests/baseline/integral.c tests/baseline/loops.c
ifeq ($(CUDA),1)
BASELINES += $(wildcard tests/baseline/*.cu)
endif
BENCH = $(patsubst %,$(BUILD)/%.o,$(basename $(wildcard tests/bench*.c) $(BASELINES)))
$(BUILD)/tests/bench: $(BENCH) $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
$(BUILD)/tests/baseline/%.o: private OPTIMISE = -O3

# Measures everything on every available backend; takes minutes.
bench: $(BUILD)/tests/bench
	$< --tsv $(BUILD)/bench.tsv
.PHONY: bench

# ---- The demo pair, rendered and encoded anew; needs an FFmpeg with libx264 ----

$(BUILD)/assets/make_demo: $(BUILD)/assets/make_demo.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
demo: $(BUILD)/assets/make_demo
	$< assets
.PHONY: demo

# ---- The pictures of README and BENCHMARKS; needs Xvfb, xdotool and ffmpeg ----

pictures: all
	BUILD=$(BUILD) assets/make_pictures assets
.PHONY: pictures

# ---- What is made of the program's tables: the manual page and what shells complete ----

$(BUILD)/assets/make_manual: $(BUILD)/assets/make_manual.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
MANUAL = $(BUILD)/stereoview.1 $(BUILD)/completion.bash $(BUILD)/completion.zsh
$(BUILD)/stereoview.1: private WHAT = man
$(BUILD)/completion.bash: private WHAT = bash
$(BUILD)/completion.zsh: private WHAT = zsh
$(MANUAL): $(BUILD)/assets/make_manual
	@$< $(WHAT) >$@
$(BUILD)/app/version.o: private CPPFLAGS += -DSV_CUDA_ARCHS='"$(if $(CUDA_LIBS),$(CUDA_ARCHS))"'

# ---- Installing: below PREFIX, or below DESTDIR for whoever makes a package ----

LIBDIR ?= $(PREFIX)/lib
SHARE = $(PREFIX)/share
ZSH ?= $(SHARE)/zsh/site-functions
$(BUILD)/stereoview.pc: library/stereoview.pc.in force
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PRIVATE@|-fopenmp $(CUDA_LIBS) $(if $(CUDA_LIBS),-lstdc++) -lm|' $< >$@

# What is installed, as file:place:mode. What is a link is given as its target.
INSTALLED = $(BUILD)/stereoview:$(PREFIX)/bin/stereoview:755 \
	$(foreach d,$(DEMO),assets/$d:$(SHARE)/stereoview/$d:644) \
	$(LIBRARY):$(LIBDIR)/$(SONAME):644 $(SONAME):$(LIBDIR)/libstereoview.so:link \
	$(STATIC_LIBRARY):$(LIBDIR)/libstereoview.a:644 \
	$(BUILD)/stereoview.pc:$(LIBDIR)/pkgconfig/stereoview.pc:644 \
	$(BUILD)/stereoview.1:$(SHARE)/man/man1/stereoview.1:644 \
	$(BUILD)/completion.bash:$(SHARE)/bash-completion/completions/stereoview:644 \
	$(BUILD)/completion.zsh:$(ZSH)/_stereoview:644 \
	assets/stereoview.desktop:$(SHARE)/applications/stereoview.desktop:644 \
	assets/stereoview.svg:$(SHARE)/icons/hicolor/scalable/apps/stereoview.svg:644 \
	$(BUILD)/stereoview.metainfo.xml:$(SHARE)/metainfo/stereoview.metainfo.xml:644 \
	stereo/stereoview.h:$(PREFIX)/include/stereoview/stereoview.h:644
# The date of a version is that of its heading.
$(BUILD)/stereoview.metainfo.xml: assets/stereoview.metainfo.xml CHANGELOG.md stereo/stereoview.h
	@date=$$(sed -n 's/^## $(VERSION) (\(.*\))$$/\1/p' CHANGELOG.md) && test -n "$$date" || \
		{ echo "CHANGELOG.md has no heading '## $(VERSION) (DATE)'" >&2 && false; } && \
		sed "s/@VERSION@/$(VERSION)/; s/@DATE@/$$date/" $< >$@
FOR_INSTALLING = $(MANUAL) $(BUILD)/stereoview.metainfo.xml
for-installing: $(BUILD)/stereoview library $(FOR_INSTALLING)
install: for-installing
	@$(MAKE) --no-print-directory install-files
# The places are lists of words to make and the shell, where DESTDIR is quoted.
one-word:
	@[ $(words x$(PREFIX)x$(LIBDIR)x$(ZSH)) = 1 ] || { echo "PREFIX, LIBDIR and ZSH must not contain spaces" >&2; exit 2; }
# As it was built, whatever the flags are.
install-files: one-word $(BUILD)/stereoview.pc
	@set -e; for each in $(INSTALLED); do \
		from=$${each%%:*} place=$${each#*:}; mode=$${place##*:} to="$(DESTDIR)$${place%:*}"; \
		mkdir -p "$$(dirname "$$to")"; \
		if [ $$mode = link ]; then ln -sf $$from "$$to"; else install -m $$mode $$from "$$to"; fi; \
	done
# Removes what install brings, and the folders that it made for it alone.
uninstall: one-word
	@for each in $(INSTALLED); do place=$${each#*:}; rm -f "$(DESTDIR)$${place%:*}"; done
	@for folder in $(SHARE)/stereoview $(PREFIX)/include/stereoview; do \
		if [ -d "$(DESTDIR)$$folder" ]; then rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$folder"; fi; \
	done
.PHONY: for-installing install-files one-word uninstall

# Debian packages, in $(BUILD)/deb, made of a copy of the tree, because dpkg-buildpackage writes beside it.
deb:
	@command -v dpkg-buildpackage >/dev/null || { echo "make deb takes Debian or Ubuntu, and their package dpkg-dev" >&2; exit 1; }
	@missing=$$(LC_ALL=C dpkg-checkbuilddeps 2>&1 | sed -n 's/.*nmet build dependencies: *//p' | \
		sed 's/ *([^)]*)//g; s/debhelper-compat/debhelper/'); \
	[ -z "$$missing" ] || { echo "missing packages: $$missing; as root: apt-get install $$missing" >&2; exit 1; }
	rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/stereoview
	tar -c --exclude=./build --exclude='./build-*' --exclude='./$(BUILD)' --exclude=./.git . | tar -x -C $(BUILD)/deb/stereoview
	cd $(BUILD)/deb/stereoview && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -b
	@tests/check-release || echo "These packages are not to be published before that is filled in; see CONTRIBUTING.md, 'Release'."
	@echo "The packages:" && ls -d $(abspath $(BUILD)/deb)/*.deb
.PHONY: deb

clean:
	rm -rf build build-*

-include $(shell [ -d $(BUILD) ] && find $(BUILD) -path $(BUILD)/deb -prune -o -name "*.d" -type f -print)
