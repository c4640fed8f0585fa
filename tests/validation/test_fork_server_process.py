"""The process that readers are forked from, when whoever starts it goes away."""

import os
import socket
import subprocess
import sys

START = (
    "import sys; from crawler.validation.fork_server_process import main;"
    " main(int(sys.argv[1]), int(sys.argv[2]))"
)


def test_parent_that_goes_before_it_has_said_anything_is_no_error():
    ours, its = socket.socketpair()
    ours.close()
    with its:
        ended = subprocess.run(
            [sys.executable, "-c", START, str(its.fileno()), str(os.getpid())],
            pass_fds=[its.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (0, "")
