#!/bin/bash
# Rectification beside OpenCV's, where python3-opencv is installed.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
    /usr/bin/python3 tests/support/rectify_opencv.py "$BUILD/tests/test_rectify" "$WORK" || failures=1
else
    skipped "rectification is OpenCV's" "python3-opencv is not installed"
fi
finish
