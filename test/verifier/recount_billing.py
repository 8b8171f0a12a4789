#!/usr/bin/env python3
"""Recounts billing statements from the ledger's rows, by docs/billing.md alone.

Nothing here comes from the platform: standard library only, with its own time zones and integers of
ten thousandths, so that it is independent evidence.

  recount_billing.py < ROWS
      ROWS are JSON lines: {"merchant": id, "entries": [...], "statements": [...]}, one for each merchant
      and currency. An entry is [transfer, type, at in ms, seq or null, account, amount], one line for
      each entry of each transfer that touches the merchant's balance, fee_income included. A statement
      is {number, month, zone, begins, ends, from, through, opening, closing, lines, postings, days}:
      times in ms; opening and closing are [available, frozen, receivable]; lines are {type: [postings,
      amount, fee, available, frozen, receivable]}; days, where given, are {day: [[transfer, amount,
      fee, balance], ...]}.
      Prints {"statements", "postings", "differences"}; exit status 1 where anything differs.
"""

import bisect
import collections
import datetime
import json
import sys
import zoneinfo

# Types whose fee income is the merchant's fee.
FEES = {
    "DEPOSIT_CREDIT", "WITHDRAWAL_PAID", "WITHDRAWAL_LATE_PAID", "LATE_CREDIT", "PAYOUT_RETURNED",
    "POSTING_REVERSED", "FEE_CAPTURED",
}


def units(text):
    """Ten thousandths of an amount."""
    sign = -1 if text.startswith("-") else 1
    whole, _, rest = text.lstrip("-").partition(".")
    return sign * (int(whole) * 10000 + int((rest + "0000")[:4]))


def local_day(zone, ms):
    moment = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return moment.astimezone(zone).date()


def first_moment(zone, day):
    """The first moment, ms, whose local day is `day` or later: by quarters of an hour, then by bisection."""
    noon = int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.timezone.utc).timestamp())
    hours = range(noon - 40 * 3600, noon + 40 * 3600, 900)
    # In order of time, so that of a midnight that is shown twice the first counts.
    first = next(at for at in hours if local_day(zone, at * 1000) >= day)
    low = first - 900
    return (low + 1 + bisect.bisect_left(range(low + 1, first + 1), True,
            key=lambda at: local_day(zone, at * 1000) >= day)) * 1000


def month_after(day):
    return datetime.date(day.year + day.month // 12, day.month % 12 + 1, 1)


class Posting:
    def __init__(self, kind, at, seq):
        self.kind, self.at, self.seq = kind, at, seq
        self.available = self.frozen = self.receivable = self.income = 0

    def add(self, account, amount):
        if account == "fee_income":
            self.income += amount
        elif account.startswith("merchant_receivable:"):
            self.receivable -= amount
        elif account.endswith(":available"):
            self.available += amount
        else:
            self.frozen += amount

    def parts(self):
        return [self.available, self.frozen, self.receivable]

    def fee(self):
        return self.income if self.kind in FEES else 0

    def change(self):
        return self.available + self.frozen - self.receivable


def recount(case, differ):
    postings = {}
    for transfer, kind, at, seq, account, amount in case["entries"]:
        posting = postings.setdefault(transfer, Posting(kind, at, seq))
        posting.add(account, units(amount))
    left = dict(postings)
    closing, through, ends, month = [0, 0, 0], 0, None, None
    for place, told in enumerate(case["statements"], 1):
        name = f"{case['merchant']} {told['number']}"

        def same(what, is_told, is_due):
            if is_told != is_due:
                differ(f"{name}: {what} is {is_told}, due {is_due}")

        zone = zoneinfo.ZoneInfo(told["zone"])
        if month is None:
            month = min(local_day(zone, p.at) for p in postings.values()).replace(day=1)
            ends = first_moment(zone, month)
        else:
            month = month_after(month)
        same("number", told["number"], place)
        same("month", told["month"], month.isoformat())
        same("begin", told["begins"], ends)
        ends = first_moment(zone, month_after(month))
        same("end", told["ends"], ends)
        same("first link", told["from"], through)
        if told["through"] < through:
            differ(f"{name}: it ends at an earlier link than the one before")
        same("opening", [units(x) for x in told["opening"]], closing)
        through = told["through"]
        mine = {
            key: p for key, p in left.items()
            if p.seq is not None and p.seq <= through and p.at < ends
        }
        for key in mine:
            del left[key]
        lines = collections.defaultdict(lambda: [0] * 6)
        for p in mine.values():
            fee = p.fee()
            lines[p.kind] = [
                a + b for a, b in zip(lines[p.kind], [1, p.change() + fee, fee, *p.parts()])
            ]
        same("lines", {t: [n, *map(units, rest)] for t, (n, *rest) in told["lines"].items()}, dict(lines))
        same("postings", told["postings"], len(mine))
        if "days" in told:
            recount_days(told, mine, zone, sum(closing[:2]) - closing[2], same)
        closing = [a + b for a, b in zip(closing, map(sum, zip(*(p.parts() for p in mine.values()))))] \
            if mine else closing
        same("closing", [units(x) for x in told["closing"]], closing)
    early = [key for key, p in left.items() if p.seq is not None and p.seq <= through and p.at < ends]
    if early:
        differ(f"{case['merchant']}: in no statement: {early[:5]}")
    return len(case["statements"]), len(postings) - len(left)


def recount_days(told, mine, zone, balance, same):
    """The files of a statement's days are its postings, each once, with a balance that runs through them."""
    seen, total = set(), balance
    for day in sorted(told["days"]):
        for key, amount, fee, after in told["days"][day]:
            p = mine.get(key)
            if p is None or key in seen:
                same(f"posting {key} of {day}", "there", "not")
                continue
            seen.add(key)
            if told["begins"] <= p.at:
                same(f"day of {key}", day, local_day(zone, p.at).isoformat())
            total += p.change()
            same(f"{key}", [units(amount), units(fee), units(after)], [p.change() + p.fee(), p.fee(), total])
    same("postings of its days", len(seen), len(mine))


def main():
    differences, statements, postings = [], 0, 0
    for line in sys.stdin:
        more = recount(json.loads(line), differences.append)
        statements, postings = statements + more[0], postings + more[1]
    print(json.dumps({"statements": statements, "postings": postings, "differences": differences[:20]}))
    sys.exit(1 if differences else 0)


main()
