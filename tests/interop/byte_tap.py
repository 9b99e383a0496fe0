"""Stands in front of a command and keeps what passes: python byte_tap.py NAME FOLDER -- COMMAND...

NAME.in and NAME.out in a folder hold the bytes. A tap called "outer" makes a new folder inside FOLDER for each process and
puts its path in the place of {folder} in the command, so that every copy of a server a host starts has its own.
It does what the trace of mcplite does in the simplest way there is, to be compared with it; it uses nothing of mcplite.
"""

import os
import signal
import subprocess
import sys
import threading


def copy(source, sink, path, close):
    with open(path, "wb", buffering=0) as kept:
        while True:
            try:
                data = os.read(source, 65536)
            except OSError:
                data = b""
            if not data:
                break
            kept.write(data)
            try:
                while data:
                    data = data[os.write(sink, data):]
            except OSError:
                break
    close()


def main():
    at = sys.argv.index("--")
    name, folder = sys.argv[1:at]
    if name == "outer":
        folder = os.path.join(folder, "process-%d" % os.getpid())
        os.mkdir(folder)
    command = [word.replace("{folder}", folder) for word in sys.argv[at + 1:]]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(number))
    inward = threading.Thread(target=copy, daemon=True, args=(
        0, process.stdin.fileno(), os.path.join(folder, name + ".in"), process.stdin.close))
    outward = threading.Thread(target=copy, args=(
        process.stdout.fileno(), 1, os.path.join(folder, name + ".out"), process.stdout.close))
    inward.start()
    outward.start()
    status = process.wait()
    outward.join()
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
