"""Leads the session of `make up`: starts commands and stays until the last of them ends.

Its arguments are JSON lists: a log file and a command. When the last command ends, all are ended.
"""

import json
import subprocess
import sys


def keep(commands: list[list[str]]) -> int:
    """The exit code of the last command; the others are ended with it."""
    started = []
    for log, *command in commands:
        with open(log, "ab") as output:  # noqa: PTH123 - bytes of others, appended
            started.append(
                subprocess.Popen(  # noqa: S603 - the commands are those of up.py
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
                )
            )
    code = started[-1].wait()
    for other in started:
        other.terminate()
    return code


if __name__ == "__main__":
    sys.exit(keep([json.loads(argument) for argument in sys.argv[1:]]))
