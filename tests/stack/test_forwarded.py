"""What the network says of itself, the real web server does not believe."""

import http.client

import pytest

from tests.services import HOST
from tests.stack.stack import SITE_HOST, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

CLAIMS = {
    "SCRIPT_NAME": "/evil",
    "PATH_INFO": "/evil/rules/",
    "X-Script-Name": "/evil",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Host": "evil.example",
    "Forwarded": "host=evil.example;proto=https",
}


def ask(stack: Stack, path: str, **headers: str) -> tuple[int, str, str]:
    """Return status, Location and body of an answer."""
    connection = http.client.HTTPConnection(HOST, stack.port, timeout=30)
    connection.request("GET", path, headers={"Host": SITE_HOST, **headers})
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, response.headers.get("Location", ""), body


def test_no_header_moves_the_site_or_makes_a_connection_look_encrypted(stack: Stack) -> None:
    stack.start("web", more={"PROXY_COUNT": "0"})
    stack.wait_for_web()
    for claim in ({"X-Forwarded-Proto": "https"}, {"X-Forwarded-Ssl": "on"}, {"X-Forwarded-Protocol": "ssl"}):
        assert ask(stack, "/rules/", **claim)[:2] == (301, f"https://{SITE_HOST}/rules/")
    stack.stop("web")

    stack.start("web")  # behind one proxy, as in compose
    stack.wait_for_web()
    for name, value in CLAIMS.items():
        status, _location, body = ask(stack, "/rules/", **{"X-Forwarded-Proto": "https", name: value})
        assert (name, status) == (name, 200)
        assert "evil" not in body
        assert ask(stack, "/evil/rules/", **{"X-Forwarded-Proto": "https", name: value})[0] == 404
