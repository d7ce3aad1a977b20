"""What POSIX has and Windows has not: simulated, since no Windows is at hand."""

import subprocess
import sys

#: Takes away what Windows does not have; its locks stand on flock here, and a file that is locked cannot be removed.
WITHOUT_POSIX = """
import errno, fcntl, os, pathlib, signal, sys, types
import genderscope.cli.output, rich.console, typer  # what they import is not ours to simulate

held = {}
def locking(file, mode, size):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None
    held[file] = os.fstat(file)

close, unlink = os.close, pathlib.Path.unlink
def closing(file):
    held.pop(file, None)
    close(file)

def unlinking(self, missing_ok=False):
    if self.exists() and any(os.path.samestat(self.stat(), other) for other in held.values()):
        raise PermissionError(errno.EACCES, "The process cannot access the file", str(self))
    unlink(self, missing_ok)

os.close, pathlib.Path.unlink = closing, unlinking
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
sys.modules["fcntl"] = None
for module in [name for name in sys.modules if name.split(".")[0] == "genderscope"]:
    del sys.modules[module]
for home, names in ((os, ("O_CLOEXEC", "O_NONBLOCK", "sched_getaffinity")), (signal, ("SIGPIPE",))):
    for name in names:
        delattr(home, name)
"""
LOCKS = """
from pathlib import Path
from genderscope.core.user_cache import building
from genderscope.core.errors import UserError
from genderscope.runs import output_locked
import genderscope.util.file_locks
assert genderscope.util.file_locks._fcntl is None
out = Path("out.txt")
with output_locked(out):
    try:
        with output_locked(out):
            raise AssertionError("two hold it")
    except UserError as error:
        print(error)
with output_locked(out), building(Path("cache/part")):
    pass
print(sorted(path.name for path in Path().rglob("*") if path.is_file()))
"""
COMMAND = """
import sys
from genderscope.cli.app import main
sys.argv = ["genderscope", "demo", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code, end
from genderscope.runs import write_whole
from genderscope.core.tables import own_text
from pathlib import Path
write_whole(Path("text.csv"), b"a\\n")
assert own_text("text.csv", "text") == "a\\n"
"""


def simulated(code, folder):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_lock_of_windows_is_held_by_one_and_leaves_no_file(tmp_path):
    told = simulated(LOCKS, tmp_path).splitlines()
    assert told == [
        "Another process is writing to 'out.txt'; wait for it to finish or choose another file with --out.",
        "[]",
    ]


def test_commands_start_and_files_are_read_and_written_without_what_posix_has(tmp_path):
    assert "demo" in simulated(COMMAND, tmp_path)
