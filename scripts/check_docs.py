#!/usr/bin/env python3
"""Checks that the Markdown pages speak of things that exist.

    scripts/check_docs.py    prints one line per defect, exits with 1 on any

In every page outside build/ and install/: a relative link leads to a file, an anchor to a heading of its page, and a path
in `code` that begins with a folder of the project (src/, scripts/, ...) names something that is there. Text inside
fenced blocks is checked for `scripts/...` commands alone. A path with a placeholder (NAME, <name>, *, ...) is left
alone, and so is anything under build/.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "include", "cmake", "cli", "python", "server", "tests", "bench", "docs", "models", "scripts")

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)[^)]*\)|!\[[^\]]*\]\(([^)\s]+)[^)]*\)")
CODE = re.compile(r"`([^`\n]+)`")
PROJECT_PATH = re.compile(r"^(?:%s)/[\w./{},-]*$" % "|".join(FOLDERS))
SCRIPT = re.compile(r"(?:^|\s)(scripts/[\w.-]+)")
PLACEHOLDER = re.compile(r"[<>*{}]|\.\.\.|[A-Z]{4,}(?!\.md)|\bx_|_x\b|/x\.")


def pages() -> list[pathlib.Path]:
    tops = [path for path in ROOT.iterdir() if path.is_dir() and path.name not in ("build", "install", ".git")]
    return sorted([*ROOT.glob("*.md"), *(page for top in tops for page in top.rglob("*.md"))])


def anchors(page: pathlib.Path) -> set[str]:
    """The anchors of a page's headings, formed as usual: lower case, punctuation dropped, spaces to dashes."""
    titles = re.findall(r"^#+\s+(.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def link_defect(page: pathlib.Path, target: str) -> str | None:
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"link to {target}: there is no {path}"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"link to {target}: {file.name} has no heading #{anchor}"
    return None


def path_defect(text: str) -> str | None:
    path = text.split()[0].split("#")[0].split(":")[0] if text.split() else ""
    if not PROJECT_PATH.match(path) or PLACEHOLDER.search(path) or (ROOT / path.rstrip(".")).exists():
        return None
    return f"`{text}`: there is no {path}"


def defects(page: pathlib.Path) -> list[str]:
    found, fenced = [], False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced:
            reasons = [path_defect(script) for script in SCRIPT.findall(line)]
        else:
            reasons = [link_defect(page, a or b) for a, b in LINK.findall(CODE.sub("", line))]
            reasons += [path_defect(code) for code in CODE.findall(line)]
        found += [f"{page.relative_to(ROOT)}:{number}: {reason}" for reason in reasons if reason]
    return found


def main() -> int:
    all_pages = pages()
    found = [defect for page in all_pages for defect in defects(page)]
    print("\n".join(found) if found else f"{len(all_pages)} pages speak of things that exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
