"""What tests of several engines share: Google, and a user with a service account."""

import json

import pytest

from tests.engines import Google
from tests.loopback import Engines
from tests.submit.conftest import User


@pytest.fixture
def google(engines: Engines, user: User) -> Google:
    """Give Google, and a user with a service account."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    engine: Google = engines(Google)
    key = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    account = {
        "type": "service_account",
        "project_id": "p",
        "private_key_id": "k",
        "private_key": key.decode(),
        "client_email": "robot@p.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": f"{engine.url}/token",
    }
    path = user.folder / "account.json"
    path.write_text(json.dumps(account))
    path.chmod(0o600)
    user.environment["GOOGLE_APPLICATION_CREDENTIALS"] = str(path)
    return engine
