"""Builds the wheel of the module `understory` (PEP 517 and PEP 660).

The wheel holds the module, and `understory_clone` with the folder of the
clone or package that it was built from: its command is started from there.
"""

import base64
import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any, Dict, Optional

_here = Path(__file__).resolve().parent
_root = _here.parents[1]


def _version() -> str:
    package = _root / "package.json"
    if not package.exists():
        return "0"
    return str(json.loads(package.read_text("utf-8"))["version"])


def _write(folder: str, contents: Dict[str, str]) -> str:
    """Writes a wheel with these files; returns its name."""
    stem = "understory-%s" % _version()
    info = "%s.dist-info/" % stem
    files = dict(contents)
    files[info + "METADATA"] = (
        "Metadata-Version: 2.1\nName: understory\nVersion: %s\n"
        "Summary: LIDAR in dense vegetation as NumPy arrays\n"
        "License: Apache-2.0\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n" % _version())
    files[info + "WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: understory_build\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n")
    rows = []
    name = "%s-py3-none-any.whl" % stem
    with zipfile.ZipFile(Path(folder) / name, "w",
                         zipfile.ZIP_DEFLATED) as wheel:
        for file, text in files.items():
            data = text.encode()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
            rows.append("%s,sha256=%s,%d" % (
                file, digest.decode().rstrip("="), len(data)))
            wheel.writestr(file, data)
        rows.append(info + "RECORD,,")
        wheel.writestr(info + "RECORD", "\n".join(rows) + "\n")
    return name


def build_wheel(wheel_directory: str,
                config_settings: Optional[Dict[str, Any]] = None,
                metadata_directory: Optional[str] = None) -> str:
    """A wheel with the module."""
    return _write(wheel_directory, {
        "understory.py": (_here / "understory.py").read_text("utf-8"),
        "understory_clone.py": "ROOT = %r\n" % str(_root)})


def build_editable(wheel_directory: str,
                   config_settings: Optional[Dict[str, Any]] = None,
                   metadata_directory: Optional[str] = None) -> str:
    """A wheel that leads to the module in this folder."""
    return _write(wheel_directory, {"understory.pth": str(_here) + "\n"})
