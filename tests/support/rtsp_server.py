#!/usr/bin/python3
"""An RTSP server for tests/e2e/e2e_streams.sh, with GStreamer: sends Matroska files over the loopback interface, at their own
pace and each client from the beginning. A file NAME.mkv has the address rtsp://127.0.0.1:PORT/NAME.

    rtsp_server.py CODEC FILE...    CODEC is h264 or jpeg; prints the port
    rtsp_server.py                  fails if GStreamer lacks something for it"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
if not all(Gst.ElementFactory.find(name) for name in ("matroskademux", "rtph264pay", "rtpjpegpay")):
    sys.exit("GStreamer lacks its good plugins")
if len(sys.argv) > 1:
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service("0")
    for path in sys.argv[2:]:
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch('( filesrc location="%s" ! matroskademux ! rtp%spay name=pay0 )' % (path, sys.argv[1]))
        server.get_mount_points().add_factory("/" + os.path.basename(path)[:-len(".mkv")], factory)
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()
