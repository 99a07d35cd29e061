"""A command, run in a process of its own: its exit code, processor time and peak memory, as a line of JSON.

    python -S benchmarks/measured_child.py COMMAND...

The peak memory of a process includes that of the process that started it, until it loads its program. So a small one
starts it here.
"""

import json
import os
import sys


def main() -> None:
    silent = os.open(os.devnull, os.O_WRONLY)
    command = sys.argv[1:]
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, silent, 1)])
    _, status, usage = os.wait4(child, 0)
    # ru_maxrss counts in KiB on Linux.
    print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10]))


if __name__ == "__main__":
    main()
