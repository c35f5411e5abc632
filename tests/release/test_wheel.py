"""The wheel: built, installed without the source tree, and run."""

import json
import os
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from tests.processes import PATIENCE, line, running

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
# Nothing of the environment may lead to the source tree.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

pytestmark = pytest.mark.process


def done(*command: str | Path, cwd: Path) -> str:
    """Run a command to its end, and give what it printed."""
    with running(*command, env=ENVIRONMENT, cwd=cwd) as process:
        told, problems = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, told + problems
    return told


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index")
    done(*pip, "--wheel-dir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in a fresh environment; its dependencies are those of this one.

    A path in a .pth file is searched, but .pth files in it are not read, so that the editable
    installation of the source tree stays out.
    """
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index")
    done(*pip, wheel, cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin"


def test_every_data_file_is_in_the_wheel(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    here = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert here <= packed
    kinds = {Path(name).suffix for name in here}
    assert {".py", ".toml", ".json", ".mo", ".html", ".css", ".js", ".typed"} <= kinds


def test_the_package_is_that_of_the_wheel(bin_folder: Path) -> None:
    python = bin_folder / "python"
    file = done(python, "-c", "import grognard; print(grognard.__file__)", cwd=bin_folder)
    assert Path(file).is_relative_to(bin_folder.parent)
    asked = "from importlib.metadata import version; print(version('grognard'))"
    version = done(python, "-c", asked, cwd=bin_folder).strip()
    assert f'\nversion = "{version}"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_installed_commands_answer(bin_folder: Path) -> None:
    command = bin_folder / "grognard"
    assert "Bautzen 1945" in done(command, "games", cwd=bin_folder)
    example = ROOT / "examples" / "bautzen.toml"
    assert json.loads(done(command, "odds", example, "--json", cwd=bin_folder))["exact"] is True
    assert done(command, "map", "weissenberg", "--lang", "fr", cwd=bin_folder)


def test_the_installed_server_answers(bin_folder: Path, tmp_path: Path) -> None:
    words = ("serve", "--port", "0", "--store", tmp_path / "matches.sqlite")
    with running(bin_folder / "grognard", *words, env=ENVIRONMENT, cwd=tmp_path) as process:
        address = line(process)
        for path in ("", "games/bautzen/attack?lang=fr", "static/base.css", "api/openapi.json"):
            assert httpx.get(address + path, timeout=PATIENCE).status_code == 200, path
