# stereoview: the targets. CONTRIBUTING.md has more:
#
#   make                     the program, build/stereoview
#   make library             libstereoview, shared and static; make examples: what uses it
#   make install             the program, its manual page and the library; make uninstall
#   make deb                 Debian packages; make wheel: the Python package, including the library
#   make check               the tests; make unit-tests builds their programs
#   make check-long          the long tests; make races, fuzz, check-gpu and check-cameras are parts of them
#   make bench               measures every method; make accuracy scores them
#   make demo                renders the demo pair again; make pictures: the pictures of the pages
#   make files               lists what each file is for
#   make clean
#
# with
#
#   CUDA=0|1                 without or with the CUDA backend (default: with, if nvcc is found)
#   OPENCV=0|1               without or with OpenCV, for --calibrate (default: with, if it is found with its module aruco)
#   CUDA_ARCHS="75 90"       compute capabilities (default: all that nvcc has from 75 up)
#   SANITIZE=address,undefined | thread
#   WERROR=1                 warnings are errors; setting it does not force a rebuild
#   V=1                      show the commands
#   BUILD=folder             (default: build, with a suffix for each of the above that is set)
#   PREFIX=/usr/local LIBDIR=... DESTDIR=...   where to install
#
# This file compiles the program. make/configure.mk finds compilers and libraries; the other files in make/ have the
# library, the tests, and installing.
.DEFAULT_GOAL := all
include make/configure.mk

# ---- Sources ----

ROOMS = stereo base map rig net cpu library capture capture/ffmpeg capture/live capture/synthetic video \
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
# tests/support/gpu.c is C and allocates device memory.
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
	@echo "Built without CUDA, for the CPU only. To use a GPU, install NVIDIA's CUDA Toolkit (11.8 to 13) with nvcc on PATH or in /usr/local/cuda/bin, and run make again."
endif
ifeq ($(OPENCV)$(HAS_OPENCV),0)
	@echo "Built without OpenCV: --calibrate and boards with markers are not available. To get them, install OpenCV 4 with its contrib modules (Debian's libopencv-dev), and run make again."
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

# Shaders become C strings: shaders/view.vert is shader_view_vert.
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

# ---- The demo pair, rendered and encoded anew; needs an FFmpeg with libx264 ----

$(BUILD)/assets/make_demo: $(BUILD)/assets/make_demo.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
demo: $(BUILD)/assets/make_demo
	$< assets
.PHONY: demo

# ---- The pictures of README, the manual and BENCHMARKS; needs Xvfb, xdotool and ffmpeg ----

pictures: all
	BUILD=$(BUILD) assets/make_pictures docs/pictures
	BUILD=$(BUILD) assets/make_effects docs/pictures
movie: all
	BUILD=$(BUILD) assets/make_movie docs/pictures/stereoview.webp
.PHONY: pictures movie

# ---- The rest ----

include make/library.mk make/tests.mk make/install.mk

files:
	@python3 tests/house.py files
.PHONY: files

clean:
	rm -rf build build-*

-include $(shell [ -d $(BUILD) ] && find $(BUILD) -path $(BUILD)/deb -prune -o -name "*.d" -type f -print)
