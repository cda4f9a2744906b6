#!/usr/bin/env python3
"""A web server for tests/e2e/e2e_network.sh and tests/e2e/e2e_signals.sh. It serves a folder on a free port of the loopback interface, which it prints,
with byte ranges, which Python's own server does not support. A word behind the name changes the answer:

NAME?whole    ignores byte ranges
NAME?cut      ends every answer after half of the bytes that it announced
NAME?stall    stops there and keeps the connection; prints a line when it does
NAME?silent   never answers; prints a line when it is asked
NAME?absurd   announces 10^15 bytes and sends the file

/requests answers with the number of answers of the last kind, and with the second longest pause between two of them, in
whole seconds. (The longest pause is the one in which the first answer was read.)"""

import functools
import http.server
import os
import re
import sys
import threading
import time


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    absurd = []  # when such answers were begun

    def do_GET(self):
        if self.path == "/requests":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            pauses = sorted(after - before for before, after in zip(Handler.absurd, Handler.absurd[1:]))
            self.wfile.write(f"{len(Handler.absurd)} {pauses[-2]:.0f}".encode())
            return
        path = self.translate_path(self.path)
        if not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            data = file.read()
        if self.path.endswith("?silent"):
            self.stall()
        whole, cut, stall, absurd = (self.path.endswith(how) for how in ("?whole", "?cut", "?stall", "?absurd"))
        asked = None if whole else re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        announced = 10**15 if absurd else len(data)
        last = min(int(asked[2]), announced - 1) if asked and asked[2] else announced - 1
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(max(0, last + 1 - first)))
        if not whole:
            self.send_header("Accept-Ranges", "bytes")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{announced}")
        self.end_headers()
        length = last + 1 - first
        self.close_connection = cut or absurd
        if absurd:
            Handler.absurd.append(time.monotonic())
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
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a client that has read enough hangs up
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
