"""Sphinx configuration. `make docs` builds this folder into build/docs; a warning is an error."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

project = "pyasc"
author = "the pyasc contributors"
release = re.search(
    r'^version = "(.+)"', (HERE.parent / "pyproject.toml").read_text("utf-8"), re.M
)[1]
extensions = ["myst_parser", "operators"]
exclude_patterns = ["_build", "_ext", "examples"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_theme = "alabaster"
html_theme_options = {
    "description": "NumPy for Huawei Ascend NPUs, that runs anywhere",
    "page_width": "1100px",
}
