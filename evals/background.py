"""`python -m evals background`: write the background that recall measures likeness against, for one embedder.

The mean vectors of generic decks and of ordinary code give the hubness correction; the words of the embedder's
vocabulary, each with a rarity, give weights to words. Nothing here comes from a user.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from datetime import date
from pathlib import Path

from tokenizers import Tokenizer

from memory.background import MEANS, WORDS, words_of
from memory.embed import TOKENIZER, MiniLmEmbedder, Vectors
from memory.multilingual import MultilingualEmbedder

HERE = Path(__file__).parent / "data"
FIRST_WORD = 1996  # ids below are marks and single characters; from here the vocabulary is in order of frequency
FORMS = (
    "We are building {idea} for {customer}. We make it easy, fast and affordable, and we are growing every month.",
    "[Company] is {idea}. Our customers are {customer}, who today have no good alternative.",
    "{idea}. We help {customer} save time and money with a simple product that just works.",
    "Founded by a small team, [Company] offers {idea}. It serves {customer} and is available today.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=MEANS.parent, help="the folder to write to")


def run(arguments: argparse.Namespace) -> int:
    """Write ``background.json`` and ``words.txt``."""
    embedder = MiniLmEmbedder()
    decks = background_decks()
    code = background_code()
    measured = [
        {
            "embedder": each.id.name,
            "sha256": each.id.sha256,
            "means": {"investment": _mean(each.embed(decks)), "bug": _mean(each.embed(code))},
        }
        for each in (embedder, MultilingualEmbedder())
    ]
    means = {
        "about": "Mean vectors of generic texts, one for each kind of record; recall subtracts them from its queries.",
        "date": date.today().isoformat(),
        "command": "python -m evals background",
        "texts": {"investment": len(decks), "bug": len(code)},
        "embedders": measured,
    }
    (arguments.out / MEANS.name).write_text(json.dumps(means) + "\n", encoding="utf-8")
    words, rarity = _rarities(decks)
    rows = [f"{word} {round(100 * value)}" for word, value in zip(words, rarity, strict=True)]
    about = "# Words and how much each tells, 0..100, by rank in the embedder's vocabulary and use in generic decks."
    (arguments.out / WORDS.name).write_text("\n".join([about, *rows]) + "\n", encoding="utf-8")
    print(f"{len(decks)} decks, {len(code)} snippets, {len(words)} words -> {arguments.out}")
    return 0


def background_decks() -> list[str]:
    """Give the generic decks: each idea in one of four ordinary forms."""
    lines = (HERE / "background_decks.txt").read_text(encoding="utf-8").splitlines()
    ideas = [line.split("|") for line in lines if line and not line.startswith("#")]
    return [FORMS[at % len(FORMS)].format(idea=idea, customer=customer) for at, (idea, customer) in enumerate(ideas)]


def background_code() -> list[str]:
    """Give the ordinary snippets of code."""
    text = (HERE / "background_code.txt").read_text(encoding="utf-8")
    return [piece.strip("\n") for piece in re.split(r"^----$", text.split("\n", 1)[1], flags=re.MULTILINE)]


def _rarities(decks: list[str]) -> tuple[list[str], list[float]]:
    """Rate each word of the vocabulary 0 (said everywhere) to 1 (rare), by frequency rank and use in generic decks."""
    vocabulary = Tokenizer.from_file(str(TOKENIZER)).get_vocab()
    seen = Counter(word for deck in decks for word in set(words_of(deck)))
    words: list[str] = []
    rarity: list[float] = []
    for word, number in sorted(vocabulary.items(), key=lambda item: item[1]):
        if number < FIRST_WORD or len(word) < 2 or not re.fullmatch(r"[a-z]+", word):
            continue
        by_rank = (math.log(number - FIRST_WORD + 50) - math.log(50)) / (math.log(28_500) - math.log(50))
        words.append(word)
        rarity.append(min(max(by_rank - 0.6 * math.log1p(seen[word]) / math.log(60), 0.0), 1.0))
    return words, rarity


def _mean(vectors: Vectors) -> list[float]:
    return [round(float(value), 6) for value in vectors.mean(axis=0)]
