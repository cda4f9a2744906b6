# Compilers, libraries and flags, and how they follow from what is given to make.

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
	yaml-0.1:libyaml-dev expat:libexpat1-dev imgui:libimgui-dev x11:libx11-dev
ifeq ($(MAKECMDGOALS),library)
NEEDED := $(filter yaml% expat%,$(NEEDED))
endif
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
# With sanitizers, optimising these files takes longer than it saves at run time, except for tests that compute much
# themselves.
ifneq ($(SANITIZE),)
$(BUILD)/render/%.o $(BUILD)/tests/test_%.o: private OPTIMISE = -O0
$(foreach t,align_pictures live_align,$(BUILD)/tests/test_$t.o): private OPTIMISE = -O1
endif
# Half of the time to compile them goes into checks for null and overflowing pointers, and AddressSanitizer finds every
# access through those.
$(BUILD)/cpu/%.o: private COMMON += $(if $(findstring undefined,$(SANITIZE)),-fno-sanitize=null$(comma)pointer-overflow)
