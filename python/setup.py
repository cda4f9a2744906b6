"""The version stands in stereoview.h alone; the rest is in pyproject.toml. A package that has been given the library, as
by make_wheel, is for one kind of machine."""
import glob
import os
import re

import setuptools
from setuptools.dist import Distribution

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stereoview")
path = os.path.join(here, "stereoview.h")
if not os.path.exists(path):  # a link in the source tree
    raise SystemExit(f"there is no {path}; copy stereo/stereoview.h of the source tree there, or run pip in that tree")


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


how = {}
if glob.glob(os.path.join(here, "libstereoview.so.*")):
    how = {"distclass": WithLibrary}
with open(path, encoding="utf-8") as header:
    setuptools.setup(version=re.search(r'#define SV_VERSION "(.*)"', header.read())[1], **how)
