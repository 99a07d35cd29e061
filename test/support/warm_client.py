"""Run the program of this file's name in the server of warm_programs.py, or by itself if that cannot be done.

The file is copied under the name of each program. It imports no more than it needs: its start is most of its time.
"""

import json
import os
import socket
import sys

FOLDER, NAME = os.path.split(os.path.abspath(sys.argv[0]))


def result_of(server: socket.socket) -> int:
    """The exit code of the program, which has this process's files, folder, arguments and environment."""
    request = json.dumps([NAME, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(request)
    answer = server.recv(8)
    if not answer:
        # The program was ended by a signal, which must not pass for an exit code.
        os.abort()
    return int(answer)


with socket.socket(socket.AF_UNIX) as server:
    try:
        server.connect(os.path.join(FOLDER, "socket"))
    except OSError:
        with open(os.path.join(FOLDER, "scripts"), encoding="utf-8") as file:
            program = os.path.join(file.read(), NAME)
        os.execv(program, [program, *sys.argv[1:]])
    sys.exit(result_of(server))
