"""Examples and exports of modules that need PyArrow."""

from tests.test_public import ARROW_MODULES, failed_doctests, wrong_offers


def test_names_in_all_exist() -> None:
    assert [] == wrong_offers(ARROW_MODULES)


def test_doctests() -> None:
    assert [] == failed_doctests(ARROW_MODULES)
