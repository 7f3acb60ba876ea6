"""Names in Chinese and Devanagari are marked by where they stand; kinds of companies are none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.folding import skeleton
from audit.names_elsewhere import names_elsewhere
from audit.transliteration import heard_at
from audit.types import DraftAudit, Mark
from tests.audit.guarding import DECK, FORK, LOOP, LOOP_PROOF, grounded, recalled


def found(text: str) -> list[str]:
    plain = skeleton(text)
    return [plain[it.start : it.end] for it in names_elsewhere(plain)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("创始人王小明曾在腾讯科技有限公司任职。", ["王小明", "腾讯科技有限公司"]),
        ("竞争对手包括美齿云科技公司和牙约通集团。", ["美齿云科技公司", "牙约通集团"]),
        ("《第二大脑》提到了这一点，「牙约通」没有。", ["第二大脑", "牙约通"]),
        ("派萨·卢普先生加入了董事会。", ["派萨·卢普"]),
        ("该公司获得红杉资本领投，张伟博士负责研发。", ["红杉资本", "张伟"]),
        ("這家公司由王小明創辦，他畢業於清華大學。", ["清华大学"]),
        ("अमरदीप प्राइवेट लिमिटेड साझेदार है।", ["अमरदीप प्राइवेट लिमिटेड"]),
        ("संस्थापक राहुल वर्मा अकेले हैं, डॉ. मीरा सलाहकार हैं।", ["राहुल वर्मा", "मीरा"]),
        ("“शीतलम” एक प्रतियोगी है।", ["शीतलम"]),
    ],
)
def test_a_name_is_found_beside_what_tells_it(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "这家软件公司没有收入，保险公司只赔了一半。",
        "风险资本和天使基金都看过，许多支付公司也是。",
        "所谓“增长的来源”并不清楚。",
        "创始人曾在大公司任职。",
        "यह कंपनी छोटी है और बीमा कंपनी ने आधा चुकाया।",
        "दूसरे संस्थापक 2024 में चले गए, संस्थापक कहते हैं।",
        "No capital tells a name here.",
    ],
)
def test_a_kind_of_company_is_no_name(text: str) -> None:
    assert found(text) == []


@given(st.text(alphabet='王公司的《》「」·创始人先生कंपनी श्री।" a1', max_size=60))
def test_any_text_is_read_in_order_and_without_overlap(text: str) -> None:
    spans = [(it.start, it.end) for it in names_elsewhere(skeleton(text))]
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize("spelt", ["पैसालूप", "派萨卢普"])
def test_a_name_is_known_again_in_another_writing(spelt: str) -> None:
    assert heard_at("paisaloop", skeleton(f"{spelt} 2022")) == (0, len(skeleton(spelt)))
    assert not heard_at("korvella", skeleton(spelt))
    assert not heard_at("pay", skeleton(spelt))


def test_each_such_name_is_marked_by_where_it_stands() -> None:
    text = "竞争对手包括美齿云科技公司，也可能包括《牙约通》。派萨卢普没有收费，Zippo也没有。"
    deck = f"{DECK}\n竞争对手包括美齿云科技公司。"
    audit = grounded(DraftAudit(summary=text, precedents=(LOOP_PROOF,)), recalled(LOOP), text=deck)
    marks = {it.text: it.mark for sentence in audit.summary for it in sentence.terms}
    assert marks["美齿云科技公司"] is Mark.IN_SUBMISSION
    assert marks["牙约通"] is Mark.UNVERIFIED
    assert marks["派萨卢普"] is Mark.IN_RECORD


@pytest.mark.parametrize("text", ["格林福克的餐盒业务与此相近。", "ग्रीन फोर्क का कारोबार ऐसा ही है।", "ग्रीनफोर्क अच्छा है।"])
def test_a_record_that_is_no_precedent_is_not_named_in_another_writing(text: str) -> None:
    assert grounded(DraftAudit(summary=text), recalled(LOOP, near=(FORK,))).summary == ()
