#!/usr/bin/env python3
"""A web server for tests/e2e_network.sh: serves a folder on a free port of the loopback, with byte ranges, which
Python's own does not know. NAME?whole is sent without them; of NAME?cut every answer ends after half of what it
promised; of NAME?stall it stops there and the connection stays, and NAME?silent is not answered at all: both are told
of by a line. Prints the port."""

import functools
import http.server
import os
import re
import sys
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            data = file.read()
        if self.path.endswith("?silent"):
            self.stall()
        whole, cut, stall = self.path.endswith("?whole"), self.path.endswith("?cut"), self.path.endswith("?stall")
        asked = None if whole else re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        last = min(int(asked[2]), len(data) - 1) if asked and asked[2] else len(data) - 1
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(max(0, last + 1 - first)))
        if not whole:
            self.send_header("Accept-Ranges", "bytes")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        length = last + 1 - first
        self.close_connection = cut
        self.wfile.write(data[first:first + ((length + 1) // 2 if cut or stall else length)])
        if stall:
            self.stall()

    @staticmethod
    def stall():
        print("stalled", flush=True)
        threading.Event().wait()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # who has read enough, hangs up
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
