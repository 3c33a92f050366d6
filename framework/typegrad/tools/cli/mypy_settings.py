"""The settings that mypy would find, with typegrad's plugin added."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from configparser import Error as IniError
from configparser import RawConfigParser
from contextlib import contextmanager
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from typegrad.tools.cli.output import CommandLineError

__all__ = ["PLUGIN", "find_settings", "read_settings", "settings_file", "states_files"]

PLUGIN: Final = "typegrad.mypy_plugin"
_SECTION: Final = "mypy"
_OWN: Final = ("mypy.ini", ".mypy.ini")
_SHARED: Final = ("pyproject.toml", "setup.cfg")
"""Files for several tools; the search continues after one that has no section for mypy."""
_PATTERN: Final = re.compile(r"[],*?[]")
"""What in a name makes a section one of several modules."""
_CACHE: Final = ".mypy_cache"
"""The folder of mypy's cache, if no setting says another one."""
_FOLDER: Final = re.compile(r"\$(?:MYPY_CONFIG_FILE_DIR\b|\{MYPY_CONFIG_FILE_DIR\})")


def find_settings(folder: Path) -> Path | None:
    """The settings file of mypy for `folder`: there, in a parent folder of the same repository, or the user's own."""
    for place in (folder, *folder.parents):
        for name in (*_OWN, *_SHARED):
            file = place / name
            if file.is_file() and (name in _OWN or _SECTION in _read(file)):
                return file
        if (place / ".git").exists() or (place / ".hg").exists():
            break
    return next((file for file in _users() if file.is_file()), None)


def _users() -> Iterator[Path]:
    if environ.get("XDG_CONFIG_HOME"):
        yield Path(environ["XDG_CONFIG_HOME"], "mypy", "config")
    yield Path("~/.config/mypy/config").expanduser()
    yield Path("~/.mypy.ini").expanduser()


def read_settings(file: Path | None, *, strict: bool) -> RawConfigParser:
    """The file's settings, none without a file, with the plugin added, and with `strict` unless the file sets it.

    Unless the file says otherwise, a name may hold values of several types in turn, and functions without annotations
    are checked, too: mypy alone skips them, so that nothing in them is known. With `strict` the cache is another one,
    as mypy uses none of other settings. Paths relative to the file are made absolute, so that a copy elsewhere has the
    same meaning.
    """
    settings = _read(file) if file is not None else RawConfigParser()
    if not settings.has_section(_SECTION):
        settings.add_section(_SECTION)
    if file is not None:
        _make_absolute(settings, file.parent.absolute())
    section = settings[_SECTION]
    plugins = _split(section.get("plugins", ""))
    if not any(plugin.partition(":")[0] == PLUGIN for plugin in plugins):
        section["plugins"] = ", ".join([*plugins, PLUGIN])
    section.setdefault("check_untyped_defs", "True")
    if not any(key.startswith("allow_redefinition") for key in section):
        section.update(dict.fromkeys(_redefinition(), "True"))
    if strict and "strict" not in section:
        section["strict"] = "True"
        section["cache_dir"] = str(Path(section.get("cache_dir", _CACHE), "strict"))
    return settings


def _redefinition() -> Sequence[str]:
    """The options that let a name hold values of several types in turn."""
    from mypy.version import __version__  # only where something is checked

    is_first = __version__.startswith("1.")
    return ("allow_redefinition_new", "local_partial_types") if is_first else ("allow_redefinition",)


@contextmanager
def settings_file(
    config_file: str | None = None, *, strict: bool = False, notebooks: Iterable[str] = ()
) -> Generator[Path]:
    """A file with the settings that mypy would find, or that `config_file` holds ("" for none), and the plugin.

    mypy takes `lesson.ipynb` for a module of the package `lesson`: a file `lesson.py` beside it is read, but not told.
    """
    source = find_settings(Path.cwd()) if config_file is None else Path(config_file) if config_file else None
    with TemporaryDirectory(prefix="typegrad-") as folder:
        file = Path(folder, "mypy.ini")
        with file.open("w", encoding="utf-8") as stream:
            settings = read_settings(source, strict=strict)
            for name in {Path(each).stem for each in notebooks if not _PATTERN.search(each)}:
                settings.read_dict({f"{_SECTION}-{name}": {"follow_imports": "silent"}})
            settings.write(stream)
        yield file


def states_files(file: Path) -> bool:
    """Whether settings say what is to be checked."""
    return any(_read(file).has_option(_SECTION, name) for name in ("files", "modules", "packages"))


def _make_absolute(settings: RawConfigParser, folder: Path) -> None:
    for name in settings.sections():
        for key, value in settings[name].items():
            settings[name][key] = _FOLDER.sub(lambda _: str(folder), value)
    section = settings[_SECTION]
    if "plugins" in section:
        plugins = _split(section["plugins"])
        section["plugins"] = ", ".join(str(folder / each) if _is_file(each) else each for each in plugins)


def _is_file(plugin: str) -> bool:
    return plugin.rpartition(":")[0].endswith(".py") or plugin.endswith(".py")


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,\n]", text) if part.strip()]


def _read(file: Path) -> RawConfigParser:
    """The file's sections for mypy, in the form of an .ini file."""
    settings = RawConfigParser()
    if not file.is_file():
        raise CommandLineError(f"there is no file {file}")
    try:
        if file.suffix == ".toml":
            settings.read_dict(_from_toml(tomllib.loads(file.read_text(encoding="utf-8"))))
        else:
            settings.read_string(file.read_text(encoding="utf-8"), str(file))
    except (tomllib.TOMLDecodeError, IniError) as error:
        raise CommandLineError(f"{file}: {error}") from None
    for name in settings.sections():
        if name != _SECTION and not name.startswith(f"{_SECTION}-"):
            settings.remove_section(name)
    return settings


def _from_toml(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The sections of an .ini file that are equivalent to `[tool.mypy]` and its overrides."""
    table: Mapping[str, Any] | None = document.get("tool", {}).get(_SECTION)
    if table is None:
        return {}
    sections = {_SECTION: _texts((key, value) for key, value in table.items() if key != "overrides")}
    for override in table.get("overrides", ()):
        modules = override.get("module", ())
        for module in [modules] if isinstance(modules, str) else modules:
            values = _texts((key, value) for key, value in override.items() if key != "module")
            sections.setdefault(f"{_SECTION}-{module}", {}).update(values)
    return sections


def _texts(items: Iterable[tuple[str, object]]) -> dict[str, str]:
    return {key: _text(key, value) for key, value in items}


def _text(key: str, value: object) -> str:
    """A TOML value in the form of an .ini file. The patterns of `exclude` become alternatives of one pattern."""
    if not isinstance(value, list):
        return str(value)
    if key == "exclude":
        return "|".join(f"(?:{pattern})" for pattern in value)
    return ", ".join(map(str, value))
