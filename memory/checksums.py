"""Checksums of numbers that people and banks carry. Pure."""

from __future__ import annotations

# ISO 13616 registry: the length of an IBAN in each country.
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip

_VERHOEFF_PRODUCT = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_TURN = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip


def luhn(digits: str) -> bool:
    """Check a number by ISO/IEC 7812-1: every second digit from the right doubled, the sum a multiple of ten."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban(text: str) -> bool:
    """Check a bank account number by ISO 13616: the country's length, and 1 as the remainder by 97."""
    number = text.replace(" ", "")
    if IBAN_LENGTHS.get(number[:2]) != len(number):
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def verhoeff(digits: str) -> bool:
    """Check a number by Verhoeff's dihedral code (1969)."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_VERHOEFF_PRODUCT[check][int(_VERHOEFF_TURN[place % 8][int(digit)])])
    return check == 0


def chinese_identity(number: str) -> bool:
    """Check an 18-character identity number by GB 11643-1999 (ISO 7064, MOD 11-2)."""
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17]
