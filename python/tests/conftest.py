"""Pages that every test has."""
import os
import pathlib

import pytest

CASES = pathlib.Path(os.environ.get("WINNOW_CASES",
                                    pathlib.Path(__file__).parents[2] / "tests/cases"))


@pytest.fixture(scope="session")
def cases() -> pathlib.Path:
    return CASES


@pytest.fixture(scope="session")
def article() -> bytes:
    return (CASES / "clean/nl-article.html").read_bytes()
