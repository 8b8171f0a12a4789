#!/usr/bin/env python3
"""Verifies signed callbacks and signs requests, by the merchant API contract alone.

Nothing here comes from the gateway: standard library only, so that it can testify against it.

  verify_callback.py serve PORT API_KEY [WINDOW_SECONDS]
      Receives callbacks on 127.0.0.1 (PORT 0: any free one) and answers 200, or 401 where the
      verification fails. Prints one JSON line per callback on stdout, and {"listening": PORT} on
      stderr once ready. WINDOW_SECONDS (300) may be widened by tests that skip time.
  verify_callback.py sign API_KEY TIMESTAMP
      Reads a JSON body from stdin and prints the signature of the request.
  verify_callback.py sign-query API_KEY TIMESTAMP
      The same for a query string (what follows the `?`).
  verify_callback.py sign-lines
      Signs many: reads JSON lines {apiKey, timestamp, rawBody or rawQuery} from stdin and prints a
      JSON line for each, {"signature": ...} or {"refused": reason}.

A body or query that the contract refuses: the reason on stderr, exit status 1.
"""

import collections
import hashlib
import hmac
import json
import re
import sys
import time
import urllib.parse

MAX_DEPTH = 64
WINDOW_SECONDS = 300


class Refused(Exception):
    """The input cannot be signed or its signature is invalid."""


def check_text(text):
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise Refused("NUL character or lone surrogate")


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise Refused("duplicate key")
    for key, _ in pairs:
        check_text(key)
    return dict(pairs)


def constant(name):
    raise Refused(name + " is not JSON")


# Numbers stay text: no digit is lost, none is too long to convert.
DECODER = json.JSONDecoder(
    object_pairs_hook=unique, parse_int=str, parse_float=str, parse_constant=constant
)
SPACE = re.compile(r"[ \t\n\r]*")


def check_value(value, depth):
    """Texts and depth of a parsed value; depth counts the arrays and objects open around it."""
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, (list, dict)):
        if depth == MAX_DEPTH:
            raise Refused("too deep")
        for inner in value.values() if isinstance(value, dict) else value:
            check_value(inner, depth + 1)


def signing_texts(body):
    """The top-level fields of a JSON object: strings decoded, everything else as it stands in the body."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("not UTF-8") from None
    end = SPACE.match(text).end()
    if text[end : end + 1] != "{":
        raise Refused("not a JSON object")
    try:
        check_value(DECODER.decode(text), 0)  # the whole body is JSON: the walk below may trust it
    except (ValueError, RecursionError) as error:
        raise Refused("not JSON: " + str(error)) from None

    texts = {}
    at = SPACE.match(text, end + 1).end()
    while text[at] != "}":
        key, at = DECODER.raw_decode(text, at)
        at = SPACE.match(text, at).end() + 1  # the colon
        start = SPACE.match(text, at).end()
        value, at = DECODER.raw_decode(text, start)
        if text[start] == '"':
            texts[key] = value
        elif value is not None:
            texts[key] = text[start:at]
        at = SPACE.match(text, at).end()
        if text[at] == ",":
            at = SPACE.match(text, at + 1).end()
    return texts


def query_texts(query):
    if re.search(r"%(?![0-9A-Fa-f]{2})|[^!-~]", query):
        raise Refused("not percent-encoded")
    try:
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise Refused("not UTF-8") from None
    for _, value in pairs:
        check_text(value)
    return unique(pairs)


def md5(texts, api_key):
    ordered = sorted(texts.items(), key=lambda item: item[0].encode("utf-8"))
    string = "&".join(key + "=" + text for key, text in ordered)
    return hashlib.md5((string + api_key).encode("utf-8")).hexdigest()


def sign_request(texts, api_key, timestamp):
    if texts.get("timestamp", timestamp) != timestamp:
        raise Refused("the parameter timestamp differs from the header")
    return md5({**texts, "timestamp": timestamp}, api_key)


def sign_line(line):
    request = json.loads(line)
    try:
        if "rawBody" in request:
            texts = signing_texts(request["rawBody"].encode("utf-8"))
        else:
            texts = query_texts(request["rawQuery"])
        return {"signature": sign_request(texts, request["apiKey"], request["timestamp"])}
    except Refused as refused:
        return {"refused": str(refused)}


def verify_callback(headers, body, api_key, window, now):
    """Raises Refused unless the callback is authentic and fresh."""
    if headers.get("Content-Type", "").split(";")[0].strip() != "application/json":
        raise Refused("Content-Type is not application/json")
    if headers.get("X-API-Key") != api_key:
        raise Refused("X-API-Key is not ours")
    timestamp = headers.get("X-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > window:
        raise Refused("X-Timestamp outside the window")
    expected = md5(signing_texts(body), api_key)
    given = headers.get("X-Signature", "")
    if not hmac.compare_digest(given.lower().encode(), expected.encode()):
        raise Refused("X-Signature does not match")


def serve(port, api_key, window):
    import http.server  # slow to load, and signing does without

    attempts = collections.Counter()

    class Receiver(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            now = time.time()
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                verify_callback(self.headers, body, api_key, window, now)
                problem = None
            except Refused as refused:
                problem = str(refused)
            self.report(now, body, problem)
            self.answer(200 if problem is None else 401)

        def report(self, now, body, problem):
            try:
                fields = json.loads(body)
            except (ValueError, RecursionError):
                fields = None
            if not isinstance(fields, dict):
                fields = {}
            identity = (str(fields.get("order_no")), str(fields.get("event")))
            attempts[identity] += 1
            line = {
                "ok": problem is None,
                "problem": problem,
                "event": fields.get("event"),
                "order_no": fields.get("order_no"),
                "merchant_order_no": fields.get("merchant_order_no"),
                "status": fields.get("status"),
                "attempt": attempts[identity],
                "timestamp": self.headers.get("X-Timestamp"),
                "signature": self.headers.get("X-Signature"),
                "body_sha256": hashlib.sha256(body).hexdigest(),
                "received_at": now,
            }
            print(json.dumps(line), flush=True)

        def answer(self, status):
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(json.dumps({"listening": server.server_address[1]}), file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


def main(arguments):
    try:
        if arguments[:1] == ["serve"] and len(arguments) in (3, 4):
            window = int(arguments[3]) if len(arguments) == 4 else WINDOW_SECONDS
            serve(int(arguments[1]), arguments[2], window)
        elif arguments[:1] == ["sign"] and len(arguments) == 3:
            print(sign_request(signing_texts(sys.stdin.buffer.read()), *arguments[1:]))
        elif arguments[:1] == ["sign-query"] and len(arguments) == 3:
            query = sys.stdin.buffer.read().decode("latin-1")
            print(sign_request(query_texts(query), *arguments[1:]))
        elif arguments == ["sign-lines"]:
            for line in sys.stdin.buffer:
                print(json.dumps(sign_line(line)))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
