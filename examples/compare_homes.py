"""The care homes of a municipality, cheapest first for one's own case. Needs nothing but Python.

python3 examples/compare_homes.py 131237 --service 510 --care-level 4 --income standard
"""
import argparse
import json
import os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

BASE = os.environ.get("HIDAMARI_URL", "http://127.0.0.1:8080")


def ask(path, **query):
    """Returns the whole answer. An error answer (RFC 9457) says in `detail` what to do."""
    try:
        with urlopen(f"{BASE}{path}?{urlencode(query)}") as answer:
            return json.load(answer)
    except HTTPError as error:
        raise SystemExit(json.load(error)["detail"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("municipality", help="6-digit code; /kaigo/municipalities.json lists them")
    parser.add_argument("--service", default="510")
    parser.add_argument("--care-level", type=int, default=3)
    parser.add_argument("--income", default="standard")
    given = parser.parse_args()

    path = f"/api/v1/kaigo/municipality/{given.municipality}/{given.service}"
    answer = ask(path, sort="cost", care_level=given.care_level, income=given.income)
    for home in answer["data"]["facilities"]:
        monthly = home["cost_estimate"]["monthly_yen"]
        # None means unknown, never zero.
        total = "unknown" if monthly is None else f"{monthly['typical']:,} yen"
        print(f"{total:>16}  {home['name']}")
    print(answer["meta"]["attribution"])


main()
