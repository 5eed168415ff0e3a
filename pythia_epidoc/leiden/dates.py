"""Dates as PHI prints them → years: `347/6 a.`, `s. II p.`, `early 3rd c. BC`, `ca. 150-200 AD`.

What cannot be told in years stays text. Negative years are BC; there is no year 0.
"""

from __future__ import annotations

import re

from pythia_epidoc.leiden.model import Date

_BC = r"B\.?C\.?E?\.?|a\.\s?(?:C(?:hr)?\.)?|v\.\s?Chr\."
_AD = r"A\.?D\.?|C\.?E\.?|p\.\s?(?:C(?:hr)?\.)?|n\.\s?Chr\."
_ERA = re.compile(rf"(?<![A-Za-z])(?:({_BC})|({_AD}))(?![A-Za-z])")
# `c.` after an ordinal is a century.
_CIRCA = re.compile(
    r"(?<![A-Za-z])(?<!st\s)(?<!nd\s)(?<!rd\s)(?<!th\s)(?<![0-9]\s)(?:c|ca|circa|fere|about)(?:\.|\s)"
    r"(?=\s?(?:[0-9a-zIVX]|A\.?D\.?\s?[0-9]))"
)
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"(?:Sept?|Oct|Nov|Dec)(?:[a-z]*ber)?)"
)
_DAY = re.compile(rf"(?:(?<![0-9])[0-9]{{1,2}}\s)?\b{_MONTH}\b\.?(?:\s[0-9]{{1,2}}(?=,|\s[0-9]))?")
_DOUBT = re.compile(r"\?|\b(?:perhaps|perh\.|probably|prob\.|fort\.|or|vel|aut)\b")
_PART = (
    r"(?:(early|init(?:\.|io)?|beg(?:inning|\.)?|in\.|(?:1st|first|prior)\s?half|med(?:\.|io)?|mid(?:dle|\.)?|"
    r"late|fin(?:\.|e)?|end|ex\.|(?:2nd|second|alt\.)\s?half|"
    r"(?:1st|2nd|3rd|4th|first|second|third|last)\s?(?:quarter|third))"
    r"(?:\s?of(?:\sthe)?)?[\s-]*)?"
)
_CENTURY = re.compile(
    rf"{_PART}(?:(?<![0-9])([0-9]{{1,2}})"
    r"(?:(?:st|nd|rd|th)|\.?(?=(?:\s?[/–-]\s?[0-9]{1,2}\.?)?\s?(?:c\.|cent\b|century|Jh)))"
    r"|(?:s(?:aec)?\.?\s?)?\b([IVX]{1,6})\b)"
)
_YEARS = re.compile(r"([0-9]{1,4})(?:/([0-9]{1,4}))?(?:\s?[-–]\s?([0-9]{1,4})(?:/([0-9]{1,4}))?)?")
_BEFORE = re.compile(r"(?<!not )\b(?:ante|before|until)\b|\bnot after\b|\bor\s(?:\w+\.?\s)?earlier\b")
_AFTER = re.compile(r"(?<!not )\b(?:post|after|since)\b|\bnot before\b|\bor\s(?:\w+\.?\s)?lat(?:er\b|\.)")
_ROMAN = {"I": 1, "V": 5, "X": 10}

_PERIODS: tuple[tuple[str, int, int], ...] = (
    ("archaic", -700, -480),
    ("late classical", -400, -323),
    ("classical", -480, -323),
    ("early hellenistic", -323, -200),
    ("late hellenistic", -200, -31),
    ("hellenistic", -323, -31),
    ("hell.", -323, -31),
    ("ptolemaic", -323, -30),
    ("roman imperial", -27, 284),
    ("rom. imp.", -27, 284),
    ("aet. imp. rom.", -27, 284),
    ("aet. imp.", -27, 284),
    ("imperial", -27, 284),
    ("imp.", -27, 284),
    ("aet. rom.", -146, 395),
    ("roman period", -146, 395),
    ("rom.", -146, 395),
    ("late antique", 284, 641),
    ("late antiquity", 284, 641),
    ("early byzantine", 330, 641),
    ("byzantine", 330, 1453),
    ("byz.", 330, 1453),
    ("aet. byz.", 330, 1453),
    ("julio-claudian", -27, 68),
    ("flavian", 69, 96),
    ("antonine", 138, 192),
    ("severan", 193, 235),
    ("augustan", -27, 14),
    ("augustus", -27, 14),
    ("tiberius", 14, 37),
    ("caligula", 37, 41),
    ("claudius", 41, 54),
    ("nero", 54, 68),
    ("vespasian", 69, 79),
    ("titus", 79, 81),
    ("domitian", 81, 96),
    ("nerva", 96, 98),
    ("trajan", 98, 117),
    ("hadrian", 117, 138),
    ("antoninus pius", 138, 161),
    ("ant. pius", 138, 161),
    ("marcus aurelius", 161, 180),
    ("commodus", 180, 192),
    ("septimius severus", 193, 211),
    ("caracalla", 211, 217),
    ("elagabalus", 218, 222),
    ("severus alexander", 222, 235),
    ("gordian", 238, 244),
    ("diocletian", 284, 305),
)
_BOUNDS = {name: (low, high) for name, low, high in _PERIODS}
_NAMES = "|".join(re.escape(name) for name in sorted(_BOUNDS, key=len, reverse=True))
_PERIOD = re.compile(rf"(?<![a-z])(?:{_NAMES})")
_LOOKS = re.compile(r"\b(?:period|reign|aet\.|antiquity|saec\.)|\bs\.\s[IVX]")
_STARTS_WITH_PERIOD = re.compile(rf"(?:(?:early|late|mid|time of)\s)*(?:{_NAMES})(?![a-z])", re.IGNORECASE)


def looks_like_date(text: str) -> bool:
    """Whether a field of an information line is a date."""
    if _LOOKS.search(text) or _STARTS_WITH_PERIOD.match(text):
        return True
    era = _ERA.search(text)
    if era is None:
        return False
    return bool(re.search(r"[0-9]|\b[IVX]+\b", f"{text[: era.start()]} {text[era.end() :]}"))


def parse_date(text: str) -> Date:
    """A date with its bounds in years, or without them if they cannot be told."""
    text = " ".join(text.split())
    plain = _DAY.sub("", _ASIDE.sub("", text))
    circa = bool(_CIRCA.search(plain))
    doubtful = bool(_DOUBT.search(plain))
    bounds = _bounds(_CIRCA.sub("", plain))
    if bounds is None:
        return Date(text, circa=circa, doubtful=doubtful)
    low, high = bounds
    return Date(text, low, high, circa, doubtful)


def _bounds(text: str) -> tuple[int | None, int | None] | None:
    found: list[tuple[int, int]] = []
    start = 0
    eras = list(_ERA.finditer(text))
    for era in eras:
        part = text[start : era.start()]
        if not re.search(r"[0-9]|\b[IVX]+\b", part) and era is eras[-1]:
            part = text[era.end() :]  # AD 43
        found.extend(_years(part, -1 if era.group(1) else 1))
        start = era.end()
    if not found:
        period = _period(text)
        if period is None:
            return None
        found.append(period)
    low = min(bound for bound, _ in found)
    high = max(bound for _, bound in found)
    if low > high or not -3000 <= low <= 2100 or high > 2100:
        return None
    before, after = bool(_BEFORE.search(text)), bool(_AFTER.search(text))
    if before == after:
        return low, high
    return (None, high) if before else (low, None)


def _period(text: str) -> tuple[int, int] | None:
    named = [_BOUNDS[match.group()] for match in _PERIOD.finditer(text.lower())]
    return (min(low for low, _ in named), max(high for _, high in named)) if named else None


def _years(text: str, sign: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for match in _CENTURY.finditer(text):
        part, arabic, roman = match.groups()
        century = int(arabic) if arabic else _roman(roman)
        if 0 < century <= 21:
            found.append(_century(century, (part or "").lower(), sign))
    if found:
        return found
    for match in _YEARS.finditer(text):
        first, first_end, last, last_end = match.groups()
        if int(first) == 0:
            continue
        years = [int(first)]
        for year in (first_end, last, last_end):
            if year:
                years.append(_completed(year, str(years[-1])))
        signed = [sign * year for year in years]
        found.append((min(signed), max(signed)))
    return found


def _completed(year: str, before: str) -> int:
    """`347/6` is 347/346; `117-38` is 117-138."""
    if len(year) < len(before):
        return int(before[: len(before) - len(year)] + year)
    return int(year)


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _century(century: int, part: str, sign: int) -> tuple[int, int]:
    """Bounds of a century or of a part of it."""
    first, last = century * 100 - 99, century * 100
    low, high = (first, last) if sign > 0 else (-last, -first)
    if third := re.match(r"(1st|first|2nd|second|3rd|third|last)\s?third", part):
        order = {"1": 0, "f": 0, "2": 1, "s": 1}.get(third.group(1)[0], 2)
        low, high = low + (0, 34, 67)[order], low + (33, 66, 99)[order]
    elif re.match(r"(?:4th|last)\s?quarter", part):
        low = high - 24
    elif quarter := re.match(r"(1st|first|2nd|second|3rd|third)\s?quarter", part):
        order = {"1": 0, "f": 0, "2": 1, "s": 1, "3": 2, "t": 2}[quarter.group(1)[0]]
        low, high = low + 25 * order, low + 25 * order + 24
    elif part.startswith(("early", "init", "beg", "in.", "1st", "first", "prior")):
        high = low + 49
    elif part.startswith(("med", "mid")):
        low, high = low + 25, high - 25
    elif part:
        low = high - 49
    return low, high
