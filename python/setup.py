"""The version stands in stereoview.h alone; the rest is in pyproject.toml. A package that has been given the library, as
by make_wheel, is for one kind of machine."""
import glob
import os
import re

import setuptools
from setuptools.dist import Distribution

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stereoview")


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


how = {}
if glob.glob(os.path.join(here, "libstereoview.so.*")):
    how = {"distclass": WithLibrary}
with open(os.path.join(here, "stereoview.h"), encoding="utf-8") as header:
    setuptools.setup(version=re.search(r'#define SV_VERSION "(.*)"', header.read())[1], **how)
