"""A provider of OpenID Connect for a test: it asks nothing, and says that the person it was told has signed in."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "evalcore"


class Provider(ThreadingHTTPServer):
    """Its `person` is who signs in next."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "only"})
        self.person, self.nonce = "ada", ""

    def token(self) -> str:
        now = int(time.time())
        claims = {"iss": self.address, "sub": self.person, "email": f"{self.person}@example.org", "aud": CLIENT}
        claims |= {"iat": now, "exp": now + 600, "nonce": self.nonce}
        return jwt.encode({"alg": "RS256", "kid": "only"}, claims, self.key)


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        place, query = urlsplit(self.path).path, {k: v[0] for k, v in parse_qs(urlsplit(self.path).query).items()}
        at = self.server.address
        if place == "/authorize":
            self.server.nonce = query.get("nonce", "")
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri']}?{urlencode({'code': 'x', 'state': query['state']})}")
            self.end_headers()
        elif place == "/keys":
            self._say({"keys": [self.server.key.as_dict(private=False)]})
        else:
            ends = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
            more = {"issuer": at, "id_token_signing_alg_values_supported": ["RS256"]}
            self._say(more | {name: at + path for name, path in ends.items()})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._say({"access_token": "x", "token_type": "Bearer", "id_token": self.server.token()})

    def _say(self, answer: dict) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is written."""


@contextmanager
def provider() -> Iterator[Provider]:
    with Provider() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
