"""`bad_server.py FAULT`: runs one_fault. Two files, so that Python keeps the compiled form of the long one."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from one_fault import FAULTS, Server

if __name__ == "__main__":
    Server(FAULTS[sys.argv[1]]).run()
