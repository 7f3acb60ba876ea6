"""Who may use the pages, and whose memory they see: decided by a verified identity and the settings alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


class NotSignedIn(Exception):
    """Something was asked for a session that nobody has signed in to, or somebody who is not named."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed in: the name they go by, and the workspace that is theirs."""

    name: str
    workspace: str


def admitted(claims: Mapping[str, object], people: Mapping[str, str]) -> Person | None:
    """Find the person whom ``claims`` of a finished sign-in name in ``people``; None where they may not come in.

    ``people`` gives workspaces by e-mail address, in small letters, or by the provider's subject. An address counts
    only where the provider says that it has verified it; a subject that looks like an address never counts.
    """
    if claims.get("is_logged_in") is not True:
        return None
    subject, email = claims.get("sub"), verified_email(claims)
    if isinstance(subject, str) and "@" not in subject and subject in people:
        return Person(email or subject, people[subject])
    return Person(email, people[email]) if email and email in people else None


def verified_email(claims: Mapping[str, object]) -> str:
    """Read the e-mail address that the provider has verified, in small letters; empty where there is none.

    Only plain ASCII counts: other letters can look like these, or become these when made small.
    """
    email = claims.get("email")
    sure = claims.get("email_verified") is True and isinstance(email, str) and email.isascii() and "@" in email
    return str(email).lower() if sure else ""
