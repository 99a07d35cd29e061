"""Run the program of this file's name in the server of warm_programs.py, or by itself if that cannot be done.

The file is copied under the name of each program. Its start is most of its time, so it imports only what is built into
Python: `_socket` and `marshal` in place of `socket` and `json`.
"""

import _socket
import marshal
import os
import sys

FOLDER, NAME = os.path.split(os.path.abspath(sys.argv[0]))
FILES = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))


def result_of(server: _socket.socket) -> int:
    """The exit code of the program, which has this process's files, folder, arguments and environment."""
    test = os.environ.get("LIT_CURRENT_TESTCASE", os.environ.get("PYTEST_CURRENT_TEST", ""))
    program_and_test = f"{NAME} {test}".encode()
    server.sendall(len(program_and_test).to_bytes(4, "big") + program_and_test)
    request = marshal.dumps([NAME, sys.argv[1:], os.getcwd(), dict(os.environ)])
    rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, FILES)
    server.sendmsg([len(request).to_bytes(4, "big")], [rights])
    server.sendall(request)
    answer = server.recv(8)
    if not answer:
        # The program was ended by a signal, which must not pass for an exit code.
        os.abort()
    return int(answer)


server = _socket.socket(_socket.AF_UNIX)
try:
    server.connect(os.path.join(FOLDER, "socket"))
except OSError:
    with open(os.path.join(FOLDER, "scripts"), encoding="utf-8") as file:
        program = os.path.join(file.read(), NAME)
    os.execv(program, [program, *sys.argv[1:]])
sys.exit(result_of(server))
