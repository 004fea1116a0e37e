"""The benchmark is not installed: find its package beside the tests, and nothing else there."""

import sys
from importlib import import_module

from tests.conftest import ROOT

sys.path.append(str(ROOT))
import_module("bench")
sys.path.remove(str(ROOT))
