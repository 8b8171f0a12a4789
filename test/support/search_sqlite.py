"""Searches every value of every table of an SQLite file for texts.

    python3 search_sqlite.py FILE < texts.json

Prints a JSON list of [table, column, text] for what was found. Texts are also looked for as base64, in all three
alignments, and in values that are zlib or gzip streams.
"""

import base64
import json
import sqlite3
import sys
import zlib


def spellings(text):
    plain = text.encode()
    yield plain
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + plain)
        # The characters at either end depend on what stands beside the text.
        yield encoded[-(-shift * 8 // 6) : (shift + len(plain)) * 8 // 6]


def forms(value):
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        return
    yield value
    try:
        yield zlib.decompress(value, zlib.MAX_WBITS | 32)
    except zlib.error:
        pass


def main():
    texts = {text: list(spellings(text)) for text in json.load(sys.stdin)}
    database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    names = [row[0] for row in database.execute("select name from sqlite_master where type = 'table'")]
    found = set()
    for table in names:
        cursor = database.execute(f'select * from "{table}"')
        columns = [column[0] for column in cursor.description]
        for row in cursor:
            for column, value in zip(columns, row):
                for form in forms(value):
                    for text, spelt in texts.items():
                        if any(one in form for one in spelt):
                            found.add((table, column, text))
    print(json.dumps(sorted(found)))


main()
