"""Golden cases that need PyArrow; see tests/test_cases.py."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.forkserver import ForkServer
from tests.test_cases import cases, check_case


@pytest.mark.parametrize("case", cases(ROOT / "tests" / "extras" / "cases"))
def test_case(
    case: Path,
    tmp_path: Path,
    environment: dict[str, str],
    fork_server: ForkServer,
    pytestconfig: pytest.Config,
) -> None:
    check_case(case, tmp_path, environment, fork_server, pytestconfig)
