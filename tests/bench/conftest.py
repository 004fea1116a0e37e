"""Makes the package `bench`, which is not installed, importable from its directory."""

import sys
from importlib import import_module

from tests.conftest import ROOT

sys.path.append(str(ROOT))
import_module("bench")
sys.path.remove(str(ROOT))
