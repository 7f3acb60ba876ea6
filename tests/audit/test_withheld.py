"""What leaves the owner's page holds no secret of the submission, however a report writes it."""

from __future__ import annotations

import json

import pytest

from audit.export import as_dict
from audit.html_report import as_html
from audit.markdown_report import as_markdown
from audit.modes import BUG
from audit.reports import audit_report, sarif_text
from audit.service import SavedAudit
from audit.types import DraftAudit, DraftFinding, GroundedAudit
from audit.withheld import covered, secrets_in
from mcp_server.views import audit_view
from tests.audit.guarding import grounded

KEY, WORD, PHRASE = "sk-proj-Q2x4Z8mN3pR7<tV1w", "letmein", "open & shut*case"
ARMOURED = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bqx\nq3b7xQEACKAAIBpAEIIM\n-----END RSA PRIVATE KEY-----"
CODE = (
    f'api_key = "{KEY}"\npin = "{WORD}"\nsetup(db, "{PHRASE}")\npem = """{ARMOURED}"""\n'
    'def login(letmein):\n    return "https://svc:Wq7_zR4k9@db.example/x"\n'
)


@pytest.fixture(scope="module")
def audit() -> GroundedAudit:
    quotes = CODE.splitlines()
    draft = DraftAudit(
        summary=f"The key {KEY} stands in the code. The parameter letmein is not used.",
        findings=(
            *(DraftFinding("CWE-798", "Hard-coded secret", "high", it) for it in quotes[:3]),
            DraftFinding("CWE-312", "Secret kept in plain text", "high", quotes[4]),
            DraftFinding("CWE-522", "Credentials not protected", "high", quotes[-1], fix=f"Take {KEY[:14]} out."),
        ),
    )
    return grounded(draft, mode=BUG, text=CODE)


@pytest.mark.parametrize("form", ["html", "markdown", "json", "text", "sarif", "agent"])
def test_no_report_and_no_agent_is_told_a_secret(audit: GroundedAudit, form: str) -> None:
    saved = SavedAudit(audit, None)
    told = {
        "html": lambda: as_html(audit),
        "markdown": lambda: as_markdown(audit),
        "json": lambda: json.dumps(as_dict(audit), ensure_ascii=False),
        "text": lambda: audit_report(saved, "a.py").text,
        "sarif": lambda: sarif_text(audit_report(saved, "a.py")),
        "agent": lambda: audit_view(saved).model_dump_json(),
    }[form]()
    for left in ("Q2x4Z8", "tV1w", "shut", "MIIEpAIBAAKCAQEA7bqx", "q3b7xQEACKAA", "Wq7_zR4k9"):
        assert left not in told, left
    assert "sk-p…" in told
    assert WORD not in told or form != "sarif"


def test_a_short_secret_is_covered_where_it_is_quoted_and_its_word_stays_a_word(audit: GroundedAudit) -> None:
    told = covered('pin = "letmein" # letmein', secrets_in([audit]))
    assert told == 'pin = "le…" # letmein'


def test_the_owner_and_the_archive_keep_what_was_pasted(audit: GroundedAudit) -> None:
    assert any(KEY in it.quote for it in audit.findings)


def test_the_fingerprint_of_a_finding_is_no_hash_to_guess_a_secret_by() -> None:
    def prints(secret: str) -> str:
        line = f'password = "{secret}"'
        found = grounded(
            DraftAudit(findings=(DraftFinding("CWE-798", "Hard-coded secret", "high", line),)), mode=BUG, text=line
        )
        run = json.loads(sarif_text(audit_report(SavedAudit(found, None), "a.py")))["runs"][0]
        return str(run["results"][0]["partialFingerprints"])

    assert prints("hunter2-one-two") == prints("hunter2-six-ten")
