"""The image and the compose file, as far as they can be tried where no Docker engine runs."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ports import free_port

ROOT = Path(__file__).parents[1]
USER = 10001
UP_WITHIN_S = 90


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0].upper(), line.split(maxsplit=1)[1]) for line in lines]


def said(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


def copies() -> list[tuple[list[str], str]]:
    """What is copied from the tree, and to where."""
    parts = [rest.split() for rest in said("COPY") if not rest.startswith("--from")]
    return [(part[:-1], part[-1]) for part in parts]


def sent_to_the_engine(path: str) -> bool:
    """Whether ``.dockerignore`` lets a path into the build, by its last rule that fits."""
    sent = True
    for rule in (ROOT / ".dockerignore").read_text().split():
        pattern = rule.removeprefix("!")
        inner = pattern.removeprefix("**/")
        parts = path.split("/")
        fits = any(fnmatch("/".join(parts[: at + 1]), pattern) for at in range(len(parts)))
        fits = fits or (pattern.startswith("**/") and any(fnmatch(part, inner) for part in parts))
        sent = rule.startswith("!") if fits else sent
    return sent


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text()))


def test_all_that_is_copied_is_there_tracked_and_not_ignored() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for sources, _ in copies():
        for source in sources:
            files = [it for it in tracked if it == source or it.startswith(f"{source}/")]
            assert files, source
            assert all(sent_to_the_engine(it) for it in files), source


def test_no_secret_cache_or_test_is_sent_to_the_engine() -> None:
    for path in (".env", ".streamlit/secrets.toml", "data/ledger.db", "tests/conftest.py", ".git/config", ".venv/x"):
        assert not sent_to_the_engine(path), path
    assert not sent_to_the_engine("memory/__pycache__/errors.cpython-311.pyc")


def test_the_image_is_pinned_installs_the_pinned_requirements_and_ends_as_nobody_in_particular() -> None:
    assert all(":" in it.split()[0] and "latest" not in it for it in said("FROM")), said("FROM")
    (install,) = [it for it in said("RUN") if "pip install" in it]
    assert "-r requirements.txt" in install
    assert ["requirements.txt"] in [sources for sources, _ in copies()]
    wanted = [it for it in (ROOT / "requirements.txt").read_text().splitlines() if it and not it.startswith("#")]
    assert [it for it in wanted if "==" not in it] == []
    assert said("USER") == [f"{USER}:{USER}"]


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """The tree as the image holds it: only what is copied, and nothing of it writable."""
    folder = Path(tempfile.mkdtemp(prefix="precedent-image-"))
    app = folder / "app"
    app.mkdir()
    for sources, target in copies():
        for source in sources:
            if source == "requirements.txt":
                continue
            to = app / (Path(source).name if target == "./" else target)
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, to)
    for path in [app, *app.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for name in ("data", "tmp"):
        (folder / name).mkdir()
        if os.getuid() == 0:
            os.chown(folder / name, USER, USER)
    folder.chmod(0o755)
    yield folder
    for path in [app, *(it for it in app.rglob("*") if it.is_dir())]:
        path.chmod(0o755)
    shutil.rmtree(folder)


def in_image(image: Path, command: list[str]) -> list[str]:
    """A command of the image, with this machine's interpreter and, where the test may, the image's user."""
    head, *rest = command
    binary = sys.executable if head == "python" else str(Path(sys.executable).with_name(head))
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs"]
    return [*(drop if os.getuid() == 0 else []), binary, *rest]


def environment(image: Path) -> dict[str, str]:
    """The image's ENV, its folders moved."""
    told = dict(pair.split("=", 1) for rest in said("ENV") for pair in shlex.split(rest))
    moved = {"HOME": str(image / "tmp"), "PRECEDENT_HOME": str(image / "data"), "TMPDIR": str(image / "tmp")}
    return told | moved | {"PATH": os.environ["PATH"], "PRECEDENT_MODELS": "", "PRECEDENT_MCP_TOKEN": "t" * 32}


def healthy(image: Path, probe: list[str], process: subprocess.Popen[bytes], log: Path) -> None:
    """Ask as the health check does until it is content."""
    until = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        if not subprocess.run(in_image(image, probe), env=environment(image), capture_output=True).returncode:
            return
        time.sleep(0.3)
    raise AssertionError(log.read_text())


def test_the_app_and_the_agents_server_start_from_a_read_only_tree_and_pass_their_health_checks(
    image: Path, compose: dict[str, Any]
) -> None:
    (check,) = said("HEALTHCHECK")
    mcp = compose["services"]["mcp"]
    tried = {
        "8501": (json.loads(said("CMD")[-1]), json.loads(check.partition("CMD")[2])),
        "8765": ([str(it) for it in mcp["command"]], mcp["healthcheck"]["test"][1:]),
    }
    touch = in_image(image, ["python", "-c", f"open({str(image / 'app' / 'app.py')!r}, 'a')"])
    assert subprocess.run(touch, capture_output=True).returncode, "the tree can be written to"
    for port, (command, probe) in tried.items():
        mine = str(free_port())
        command = [mine if it == port else "127.0.0.1" if it == "0.0.0.0" else it for it in command]
        log = image / "tmp" / f"{port}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                in_image(image, command), cwd=image / "app", env=environment(image), stdout=out, stderr=out
            )
        try:
            healthy(image, [it.replace(port, mine) for it in probe], process, log)
        finally:
            process.terminate()
            process.wait(15)
    assert (image / "data" / "ledger.db").exists()
    assert not list((image / "app").rglob("__pycache__"))


def test_every_container_is_hardened_and_checked(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"app", "mcp", "chroma", "postgres"}
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["user"].split(":")[0] != "0", name
        assert any(it.startswith("/tmp:") for it in service["tmpfs"]), name
        assert "healthcheck" in service or name == "app", "the image's own check is the app's"
        assert "privileged" not in service, name
        assert all(it.startswith("127.0.0.1:") for it in service.get("ports", [])), name
        assert all(it.split(":")[0] in compose["volumes"] for it in service["volumes"]), name
    assert compose["networks"]["back"]["internal"] is True
    for name in ("chroma", "postgres"):
        assert compose["services"][name]["networks"] == ["back"]
        assert "ports" not in compose["services"][name]


def test_no_password_has_a_default() -> None:
    text = (ROOT / "compose.yaml").read_text()
    for name in ("POSTGRES_PASSWORD", "PRECEDENT_MCP_TOKEN"):
        asked = [part for part in text.split("${")[1:] if part.startswith(name)]
        assert asked
        assert all(part.startswith(f"{name}:?") for part in asked)
    told = (ROOT / "docs/deploy.md").read_text()
    assert "POSTGRES_PASSWORD" in told
    assert "PRECEDENT_MCP_TOKEN" in told


def test_every_variable_that_the_compose_file_passes_is_a_setting(compose: dict[str, Any]) -> None:
    from settings import Settings

    known = {
        str(field.validation_alias or f"PRECEDENT_{name.upper()}") for name, field in Settings.model_fields.items()
    }
    for name in ("app", "mcp"):
        assert set(compose["services"][name]["environment"]) <= known


def _compose_command() -> list[str] | None:
    """Find Docker Compose, as a plugin of docker or as a program of its own."""
    docker = shutil.which("docker")
    if docker is not None and not subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        return [docker, "compose"]
    alone = shutil.which("docker-compose")
    return None if alone is None else [alone]


COMPOSE = _compose_command()


@pytest.mark.skipif(COMPOSE is None, reason="Docker Compose is not installed")
def test_docker_compose_reads_the_file_and_refuses_it_without_passwords(tmp_path: Path) -> None:
    assert COMPOSE is not None
    nothing = tmp_path / "empty.env"
    nothing.touch()
    ask = [*COMPOSE, "--file", str(ROOT / "compose.yaml"), "--env-file", str(nothing), "config", "--quiet"]
    clean = {
        name: value for name, value in os.environ.items() if name not in {"POSTGRES_PASSWORD", "PRECEDENT_MCP_TOKEN"}
    }
    bare = subprocess.run(ask, env=clean, capture_output=True, text=True)
    assert bare.returncode
    assert "docs/deploy.md" in bare.stderr
    full = subprocess.run(
        ask,
        env=clean | {"POSTGRES_PASSWORD": "p" * 48, "PRECEDENT_MCP_TOKEN": "t" * 64},
        capture_output=True,
        text=True,
    )
    assert full.returncode == 0, full.stderr
