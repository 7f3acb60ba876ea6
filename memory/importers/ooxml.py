"""Office files are zips of XML from strangers: looked through before any library opens them. Pure.

What is refused: a zip that unpacks to far more than its size, entity and document type declarations (XXE, billion
laughs), encrypted files and files that are no zip at all. Macros are never run: no reader here executes anything.
"""

from __future__ import annotations

import io
import zipfile
import zlib

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAX_UNPACKED = 200 * 1024 * 1024
MAX_MEMBERS = 5_000
_CHUNK = 1 << 16
_DECLARATIONS = tuple(
    word.encode(encoding) for word in ("<!DOCTYPE", "<!ENTITY") for encoding in ("utf-8", "utf-16-le", "utf-16-be")
)


def check_package(content: bytes, name: str, max_unpacked: int = MAX_UNPACKED) -> tuple[str, ...]:
    """Look through an Office file; give remarks for the user, such as "its macros were not run".

    Raises ValueError, with a message for the user, where it may not be opened.
    """
    if content.startswith(OLE_MAGIC):
        raise ValueError(
            f"{name} is encrypted with a password, or in the old binary Office format. Save it without a password in "
            f"the current format and try again."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            members = package.infolist()
            if len(members) > MAX_MEMBERS:
                raise ValueError(f"{name} holds {len(members):,} parts; that is no ordinary Office file.")
            budget = max_unpacked
            for member in members:
                if member.flag_bits & 0x1:
                    raise ValueError(f"{name} is encrypted. Save it without a password and try again.")
                budget = _look_through(package, member, name, budget)
            names = [member.filename.lower() for member in members]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise ValueError(f"{name} is damaged or not an Office file: it cannot be unpacked.") from error
    macros = any(part.endswith("vbaproject.bin") for part in names)
    return ("Macros were found and not run.",) if macros else ()


def _look_through(package: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, budget: int) -> int:
    """Unpack a part in pieces, for its true size and for declarations; returns what is left of the budget."""
    is_xml = member.filename.lower().endswith((".xml", ".rels", ".vml"))
    tail = b""
    with package.open(member) as part:
        while piece := part.read(_CHUNK):
            budget -= len(piece)
            if budget < 0:
                raise ValueError(f"{name} unpacks to an unreasonable size. It was not opened.")
            if is_xml:
                window = tail + piece
                if any(declaration in window for declaration in _DECLARATIONS):
                    raise ValueError(f"{name} declares XML entities, which ordinary Office files do not. Not opened.")
                tail = window[-40:]
    return budget
