"""What tests of several engines share: Google, and a user with a service account."""

import json

import pytest

from tests.engines import Google, service_account
from tests.loopback import Engines
from tests.submit.conftest import User


@pytest.fixture
def google(engines: Engines, user: User) -> Google:
    """Give Google, and a user with a service account."""
    engine: Google = engines(Google)
    path = user.folder / "account.json"
    path.write_text(json.dumps(service_account(f"{engine.url}/token")))
    path.chmod(0o600)
    user.environment["GOOGLE_APPLICATION_CREDENTIALS"] = str(path)
    return engine
