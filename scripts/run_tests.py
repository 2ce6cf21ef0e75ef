#!/usr/bin/env python3
"""Runs all tests of a build folder and adds up what they say.

    scripts/run_tests.py build/release [--jobs N]

Runs ctest (the test programs and the repository's own checks), the conformance suite of the onnx package, and
pytest over tests/python and tests/cli. Names what this machine cannot run. Ends with "N passed, N failed", with
", N skipped" behind it when tests skipped themselves; exits with 1 on any failure.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTEST_FOLDERS = ("tests/python", "tests/cli")
CONFORMANCE_DATA = ROOT / "build" / "conformance" / "1.23.2"


@dataclasses.dataclass
class Count:
    """Outcome of one suite. A suite that ran no test at all, or stopped without counting, has failed == 1."""

    name: str
    passed: int
    failed: int
    skipped: int = 0
    failures: list[str] = dataclasses.field(default_factory=list)


def program_missing(case: xml.etree.ElementTree.Element) -> bool:
    """True for a test that ctest calls "not run" because there was nothing to run: no skip that the test chose."""
    return case.get("status") == "notrun" and not case.find("skipped").get("message", "").startswith("SKIP_")


def count_junit(name: str, path: pathlib.Path, returncode: int) -> Count:
    """Counts the test cases of a JUnit file as ctest and pytest write it."""
    if not path.exists():
        return Count(name, 0, 1, 0, [f"{name}: stopped with status {returncode} before it wrote its results"])
    count = Count(name, 0, 0)
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
            count.failures.append(f"{name}: {case.get('name')}")
        elif case.get("status") == "disabled":
            count.skipped += 1
        elif case.find("skipped") is not None and not program_missing(case):
            count.skipped += 1
        elif case.find("skipped") is not None:
            count.failed += 1
            count.failures.append(f"{name}: {case.get('name')}: its program was not built")
        else:
            count.passed += 1
    if returncode != 0 and count.failed == 0:
        count.failed = 1
        count.failures.append(f"{name}: exited with status {returncode}")
    if count.passed + count.failed == 0:
        count.failed = 1
        count.failures.append(f"{name}: ran no test")
    return count


def has_gpu() -> bool:
    return pathlib.Path("/dev/nvidiactl").exists()


def count_labelled(build: pathlib.Path, label: str) -> int:
    listing = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", f"^{label}$"], capture_output=True, text=True)
    match = re.search(r"Total Tests: (\d+)", listing.stdout)
    return int(match[1]) if match else 0


def run_ctest(build: pathlib.Path, jobs: int) -> Count:
    junit = build / "ctest.xml"
    junit.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", build, "-j", str(jobs), "--timeout", "300", "--output-junit", junit]
    if not has_gpu():
        command += ["-LE", "^gpu$"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if junit.exists():
        print_failed_output(junit)
    else:
        print(result.stdout[-8000:])
    return count_junit("ctest", junit, result.returncode)


def print_failed_output(junit: pathlib.Path) -> None:
    """Shows the output of the failed tests only: ctest's own output names every test that passed too."""
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        if case.find("failure") is not None:
            print(f"---- {case.get('name')} failed\n{case.findtext('system-out', '').strip()}\n")


def run_conformance(build: pathlib.Path) -> Count:
    dump = [sys.executable, ROOT / "tests" / "conformance" / "dump_suite.py", CONFORMANCE_DATA]
    if subprocess.run(dump).returncode != 0:
        return Count("conformance", 0, 1, 0, ["conformance: the suite could not be written to files"])
    gaps = ROOT / "tests" / "conformance" / "gaps_cpu.txt"
    result = subprocess.run([build / "bin" / "overt-conformance", CONFORMANCE_DATA, "--gaps", gaps],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    counts = re.findall(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", result.stdout, re.MULTILINE)
    if not counts:
        print(result.stdout[-4000:])
        message = f"conformance: stopped with status {result.returncode} before it counted"
        return Count("conformance", 0, 1, 0, [message])
    passed, failed, skipped = (int(number or 0) for number in counts[-1])
    count = Count("conformance", passed, failed, skipped)
    if failed or result.returncode:
        print(result.stdout[-20000:])
        count.failed = max(failed, 1)
        count.failures.append(f"conformance: {failed} failed, status {result.returncode}; see above")
    return count


def pytest_folders() -> list[str]:
    return [folder for folder in PYTEST_FOLDERS if any((ROOT / folder).glob("test_*.py"))]


def run_pytest(build: pathlib.Path) -> Count:
    junit = build / "pytest.xml"
    junit.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={junit}", *pytest_folders()]
    result = subprocess.run(command, cwd=ROOT, env=os.environ | {"OVERT_BUILD": str(build)})
    return count_junit("pytest", junit, result.returncode)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    build = args.build.resolve()

    counts, not_run = [run_ctest(build, args.jobs)], []
    gpu_tests = count_labelled(build, "gpu")
    if gpu_tests and not has_gpu():
        not_run.append(f"{gpu_tests} tests with the label gpu: no NVIDIA driver on this machine")
    if (build / "bin" / "overt-conformance").exists():
        counts.append(run_conformance(build))
    else:
        not_run.append("the conformance suite: build has no bin/overt-conformance")
    if pytest_folders():
        counts.append(run_pytest(build))

    print()
    for count in counts:
        print(f"{count.name:12} {count.passed:6} passed {count.failed:5} failed {count.skipped:5} skipped")
    for reason in not_run:
        print(f"not run here: {reason}")
    for failure in (line for count in counts for line in count.failures):
        print(f"failed: {failure}")
    passed, failed, skipped = (sum(getattr(count, field) for count in counts)
                               for field in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
