#!/usr/bin/env python3
"""A sender for tests/e2e/e2e_network.sh. Each file that is named has a port of the loopback interface and is sent to every
client of that port, but only once all ports have a client. Prints the ports."""

import socket
import sys
import threading

everybody = threading.Barrier(len(sys.argv) - 1)


def serve(listener, path):
    with open(path, "rb") as file:
        data = file.read()
    while True:
        connection, _ = listener.accept()
        try:
            everybody.wait()
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1024):
                pass
        except OSError:  # a client that has read enough closes the connection
            pass
        connection.close()


listeners = [socket.create_server(("127.0.0.1", 0)) for _ in sys.argv[1:]]
for listener, path in zip(listeners, sys.argv[1:]):
    threading.Thread(target=serve, args=(listener, path)).start()
print(*(listener.getsockname()[1] for listener in listeners), flush=True)
