"""The version stands in stereoview.h alone; the rest is in pyproject.toml."""
import os
import re

import setuptools

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stereoview", "stereoview.h"), encoding="utf-8") as header:
    setuptools.setup(version=re.search(r'#define SV_VERSION "(.*)"', header.read())[1])
