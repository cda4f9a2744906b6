# Installing and packaging.

# ---- The manual page and what shells complete, made of the program's tables ----

$(BUILD)/assets/make_manual: $(BUILD)/assets/make_manual.o $(PARTS)
	$(call say,LD)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)
MANUAL = $(BUILD)/stereoview.1 $(BUILD)/completion.bash $(BUILD)/completion.zsh
$(BUILD)/stereoview.1: private WHAT = man
$(BUILD)/completion.bash: private WHAT = bash
$(BUILD)/completion.zsh: private WHAT = zsh
$(MANUAL): $(BUILD)/assets/make_manual
	@$< $(WHAT) >$@
$(BUILD)/app/version.o: private CPPFLAGS += -DSV_CUDA_ARCHS='"$(if $(CUDA_LIBS),$(CUDA_ARCHS))"'

# ---- Installing: below PREFIX, or below DESTDIR for a package ----

LIBDIR ?= $(PREFIX)/lib
SHARE = $(PREFIX)/share
ZSH ?= $(SHARE)/zsh/site-functions
$(BUILD)/stereoview.pc: library/stereoview.pc.in force
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PRIVATE@|-fopenmp $(CUDA_LIBS) $(if $(CUDA_LIBS),-lstdc++) -ldl -lm|' $< >$@

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
	@tests/long/check-release || echo "These packages are not to be published before that is filled in; see CONTRIBUTING.md, 'Release'."
	@echo "The packages:" && ls -d $(abspath $(BUILD)/deb)/*.deb
.PHONY: deb

# The Python package with the library, in $(BUILD)/wheel. python/make_wheel lists what it takes.
wheel:
	python/make_wheel $(BUILD)/wheel
.PHONY: wheel
