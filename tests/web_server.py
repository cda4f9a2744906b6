#!/usr/bin/env python3
"""A web server for tests/e2e_network.sh: serves a folder on a free port of the loopback, with byte ranges, which
Python's own does not know. Prints the port."""

import functools
import http.server
import os
import re
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            data = file.read()
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        last = min(int(asked[2]), len(data) - 1) if asked and asked[2] else len(data) - 1
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(max(0, last + 1 - first)))
        self.send_header("Accept-Ranges", "bytes")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        try:
            self.wfile.write(data[first:last + 1])
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
