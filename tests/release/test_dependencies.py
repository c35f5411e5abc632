"""Every package that the program imports is declared in pyproject.toml."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _imported() -> dict[str, str]:
    """Give the imported top-level modules of others, each with a file that imports it."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "src" / "grognard").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            found.update({name.partition(".")[0]: str(file.relative_to(ROOT)) for name in names})
    return {name: file for name, file in found.items() if name not in sys.stdlib_module_names}


@pytest.mark.slow
def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    stated = [*project["dependencies"], *(one for extra in extras for one in extra)]
    declared = {re.split(r"[^\w-]", one)[0].lower().replace("_", "-") for one in stated}
    distributions = packages_distributions()
    for module, file in _imported().items():
        if module != "grognard":
            known = {name.lower().replace("_", "-") for name in distributions.get(module, [module])}
            assert known & declared, f"{file} imports {module}, which pyproject.toml does not name"
