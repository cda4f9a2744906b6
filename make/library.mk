# libstereoview: what stereo/stereoview.h declares, without a window, FFmpeg and OpenCV; and its examples.

VERSION := $(shell sed -n 's/^\#define SV_VERSION "\(.*\)"/\1/p' stereo/stereoview.h)
SONAME = libstereoview.so.2
LIBRARY := $(BUILD)/$(SONAME)
STATIC_LIBRARY := $(BUILD)/libstereoview.a
LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out stereo/alloc.c stereo/worker.c rig/board% rig/selfalign.c rig/align_points.c \
	rig/calibration_write.c,$(wildcard stereo/*.c rig/*.c net/*.c cpu/*.c library/*.c)) base/file_failed.c base/keyvalue.c map/colour.c) \
	$(filter $(BUILD)/gpu/%,$(OBJECTS))
LIBRARY_LIBS = $(shell pkg-config --libs yaml-0.1 expat) $(if $(CUDA_LIBS),$(CUDA_LIBS) -lstdc++) -ldl -lpthread -lm
library: $(LIBRARY) $(STATIC_LIBRARY)
.PHONY: library

# clang links no sanitizer into a shared library. It is never unloaded (nodelete), nor is libgomp with it, whose threads
# outlive a match: Python unloads libraries before it ends, and those threads would run code that is gone.
$(LIBRARY): $(LIBRARY_OBJECTS) library/stereoview.map
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=library/stereoview.map \
		-Wl,--exclude-libs,ALL -Wl,-z,nodelete $(if $(SANITIZE),,-Wl,-z,defs) -o $@ $(LIBRARY_OBJECTS) $(LIBRARY_LIBS)

# One object, in which all that is hidden is local: an archive would show it to programs that link with it. By the linker of
# binutils, whichever is the default: what mold 1.10 combines of CUDA objects cannot be linked. A cross compiler names its own.
$(STATIC_LIBRARY): $(LIBRARY_OBJECTS)
	$(call say,AR)$$($(CC) -print-prog-name=ld.bfd) -r -o $(BUILD)/library.o $^ && \
		$$($(CC) -print-prog-name=objcopy) --localize-hidden $(BUILD)/library.o && \
		rm -f $@ && $(AR) rc $@ $(BUILD)/library.o && rm $(BUILD)/library.o

# The examples, with the static library. tests/check-gpu runs match_cuda; tests/e2e/e2e_install.sh compiles match itself,
# with the installed files.
$(BUILD)/examples/stereoview/stereoview.h: stereo/stereoview.h
	@mkdir -p $(@D) && cp $< $@
$(BUILD)/examples/%: examples/%.c examples/pictures.h $(BUILD)/examples/stereoview/stereoview.h $(STATIC_LIBRARY)
	$(call say,CC)$(CC) -std=c11 -Wall -Wextra $(ERRORS) $(if $(CUDA_LIBS),-isystem $(dir $(realpath $(NVCC)))../include) \
		-I$(@D) -fopenmp $(LDFLAGS) -o $@ $< $(STATIC_LIBRARY) $(LIBRARY_LIBS)
examples: $(BUILD)/examples/match $(if $(CUDA_LIBS),$(BUILD)/examples/match_cuda)
.PHONY: examples
