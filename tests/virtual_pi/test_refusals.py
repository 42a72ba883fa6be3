"""deploy.sh where it must not act: wrong calls and computers that are no box. Needs no virtual machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.virtual_pi.machine import PROJECT

WRONG_CALLS = [
    pytest.param([], "where to?", id="nowhere"),
    pytest.param(["root@pi.local"], "not as root", id="as root over ssh"),
    pytest.param(["--purge", "a@b"], "--purge goes with --uninstall", id="purge without uninstall"),
    pytest.param(["--wheels"], "--wheels needs a folder", id="wheels without a folder"),
    pytest.param(["--wheels", "/no/such", "a@b"], "there is no folder /no/such", id="wheels that are not there"),
    pytest.param(["--fast", "a@b"], "unknown option --fast", id="unknown option"),
    pytest.param(["--local", "-p", "22"], "on the Pi itself there is no ssh", id="ssh options without ssh"),
]


def deploy(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """deploy.sh on this computer."""
    return subprocess.run(
        ["bash", str(PROJECT / "deploy.sh"), *arguments],
        capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **environ},
    )  # fmt: skip # one call is one thought


@pytest.mark.parametrize(("arguments", "says"), WRONG_CALLS)
def test_a_wrong_call_is_one_line_and_2(arguments: list[str], says: str) -> None:
    done = deploy(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("deploy.sh: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_tells_every_option() -> None:
    done = deploy("--help")
    assert done.returncode == 0
    for option in ("--dry-run", "--status", "--uninstall", "--purge", "--wheels", "--local"):
        assert option in done.stdout


def test_a_host_that_does_not_answer_is_one_line_and_1(tmp_path: Path) -> None:
    (tmp_path / "ssh").write_text("#!/bin/sh\nexit 255\n")
    (tmp_path / "ssh").chmod(0o755)
    done = deploy("pi@nowhere", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "deploy.sh: cannot log in at pi@nowhere: try  ssh pi@nowhere  by hand first\n"


def test_another_family_of_systems_is_refused(tmp_path: Path) -> None:
    # The second half of the script, told that its root is another one.
    script = (PROJECT / "deploy.sh").read_text().replace("/etc/os-release", str(tmp_path / "os-release"))
    script = script.replace('[ "$(id -u)" != 0 ]', "true")
    (tmp_path / "os-release").write_text("ID=fedora\n")
    (tmp_path / "deploy.sh").write_text(script)
    done = subprocess.run(
        ["bash", str(tmp_path / "deploy.sh"), "--local"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no Debian-family system" in done.stderr


def test_shellcheck_has_nothing_to_say() -> None:
    tool = shutil.which("shellcheck")
    assert tool is not None, "shellcheck is missing: apt-get install shellcheck"
    done = subprocess.run([tool, str(PROJECT / "deploy.sh")], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "")
