"""Which programming language a text is written in, or whether it is prose. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SUFFIXES = {
    "py": "python",
    "pyw": "python",
    "pyi": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "java": "java",
    "go": "go",
    "php": "php",
    "php5": "php",
    "phtml": "php",
    "c": "c",
    "h": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
    "hh": "cpp",
    "cs": "csharp",
    "rb": "ruby",
    "erb": "ruby",
    "rake": "ruby",
}
_ALIASES = {
    "py": "python",
    "python3": "python",
    "js": "javascript",
    "node": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "golang": "go",
    "c#": "csharp",
    "cs": "csharp",
    "c++": "cpp",
    "rb": "ruby",
}
LANGUAGES = frozenset(_SUFFIXES.values())
LABELS = {
    "python": "Python",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "tsx": "TypeScript",
    "java": "Java",
    "go": "Go",
    "php": "PHP",
    "c": "C",
    "cpp": "C++",
    "csharp": "C#",
    "ruby": "Ruby",
}
# What other languages' files end in: such code may look like one that is read, and is none of them.
_OTHERS = {
    "bash": "Bash", "bat": "Batch", "clj": "Clojure", "css": "CSS", "dart": "Dart", "erl": "Erlang", "ex": "Elixir",
    "exs": "Elixir", "fs": "F#", "groovy": "Groovy", "hs": "Haskell", "htm": "HTML", "html": "HTML", "ipynb": "Jupyter",
    "jl": "Julia", "json": "JSON", "kt": "Kotlin", "kts": "Kotlin", "lua": "Lua", "m": "Objective-C or MATLAB",
    "ml": "OCaml", "pl": "Perl", "pm": "Perl", "ps1": "PowerShell", "r": "R", "rs": "Rust", "scala": "Scala",
    "sh": "Shell", "sol": "Solidity", "sql": "SQL", "svelte": "Svelte", "swift": "Swift", "tf": "Terraform",
    "toml": "TOML", "vb": "Visual Basic", "vue": "Vue", "xml": "XML", "yaml": "YAML", "yml": "YAML", "zig": "Zig",
}  # fmt: skip

_SAMPLE = 20_000
# Weight, then a sign of the language. A sign counts at most three times, so that one long file does not drown another.
_SIGNS: dict[str, tuple[tuple[float, str], ...]] = {
    "python": (
        (3, r"^\s*def \w+\(.*\)\s*(->.*)?:"),
        (3, r"^\s*from [\w.]+ import "),
        (2, r"^\s*import [\w.]+( as \w+)?\s*$"),
        (2, r"^\s*(if|elif|for|while|with|try|except|else|class)\b[^{;]*:\s*(#.*)?$"),
        (2, r"\bself\.\w+"),
        (1.5, r"\bNone\b|\bTrue\b|\bFalse\b|\belif\b"),
        (2, r"""\bf["'][^"'\n]*\{"""),
        (1, r"^\s*print[ (]"),
        (1, r"^\s*@\w+[\w.]*(\(.*\))?\s*$"),
        (1, r"^\s*[a-z_][\w.]*(\[[^\]]*\])? = [^;{]*[^;{,(]\s*$"),
        (1, r"^[a-z_][\w.]*\([^;{]*\)\s*$"),
    ),
    "javascript": (
        (3, r"\b(const|let)\s+[\w{\[][^=;\n]*="),
        (2, r"=>\s*[{(\w]"),
        (2, r"\bfunction\b\s*\*?\s*\w*\s*\("),
        (3, r"\brequire\(\s*['\"]"),
        (3, r"^\s*(import|export)\b.*\bfrom\s+['\"]|^\s*export (default|const|function|class)\b"),
        (2, r"\b(console\.\w+|document\.\w+|window\.\w+|module\.exports|process\.(env|argv))"),
        (2, r"===|!=="),
        (1, r"\bvar\s+\w+\s*="),
        (1, r"\b(async|await|typeof|undefined|null)\b"),
        (1, r"`[^`\n]*\$\{"),
        (1, r"^\s*(if|for|while|switch)\s*\(.*\)\s*\{?\s*$"),
    ),
    "typescript": (
        (4, r"^\s*(export\s+)?(interface|type)\s+\w+(<.*>)?\s*[={]"),
        (4, r"[(,]\s*\w+\??:\s*(string|number|boolean|any|unknown|void|[A-Z]\w*(<.*>)?)(\[\])?\s*[,)=]"),
        (4, r"\)\s*:\s*(string|number|boolean|any|unknown|void|Promise<.*>|[A-Z]\w*)(\[\])?\s*(=>|\{)"),
        (3, r"\b(const|let)\s+\w+\s*:\s*\w+"),
        (2, r"\bas (string|number|any|unknown|const)\b"),
        (1.5, r"\b(const|let)\s+[\w{\[][^=;\n]*="),
        (1, r"===|=>|^\s*(import|export)\b.*\bfrom\s+['\"]"),
    ),
    "java": (
        (
            4,
            r"^\s*(public|private|protected)\s+(static\s+|final\s+|abstract\s+"
            r"|synchronized\s+)*[\w<>\[\], ?]+\s+\w+\s*\(",
        ),
        (4, r"^\s*import\s+(static\s+)?[a-z][\w]*(\.\w+)+(\.\*)?;"),
        (3, r"^\s*package\s+[\w.]+;"),
        (3, r"\bSystem\.(out|err)\.print|@Override\b|\bthrows\s+\w+"),
        (2, r"\b(public|private|final|abstract)?\s*(class|interface|enum)\s+\w+.*\{"),
        (
            2,
            r"^\s*(final\s+)?(String|int|Integer|long|boolean|double|List<.*>|Map<.*>|[A-Z]\w+(<.*>)?)\s+\w+\s*(=.*)?;",
        ),
        (2, r"\bnew\s+[A-Z]\w*(<.*>)?\("),
        (1, r"\b(instanceof|extends|implements|static final)\b"),
    ),
    "go": (
        (5, r"^package \w+\s*$"),
        (4, r"^\s*func\s+(\(\w+ \*?\w+\)\s*)?\w*\("),
        (3, r":="),
        (3, r"\bif err != nil\b"),
        (2, r"\b(fmt|http|os|strings|exec)\.[A-Z]\w+\("),
        (2, r"^\s*(type \w+ struct|defer |go func|import \()"),
        (1, r"\bnil\b|\bchan\b|\bmake\("),
    ),
    "php": (
        (8, r"<\?(php|=)"),
        (3, r"\$_(GET|POST|REQUEST|COOKIE|SERVER|SESSION|FILES)\b"),
        (2, r"^\s*\$\w+(->\w+|\[[^\]]*\])?\s*\.?=\s"),
        (2, r"\$this->|\$\w+->\w+"),
        (1, r"\bfunction\s+\w+\s*\((\w+\s+)?&?\$"),
        (1, r"\b(echo|isset|array|require_once|include)\b.*[;(]"),
    ),
    "c": (
        (4, r"^\s*#\s*include\s*[<\"][\w/.]+\.h[>\"]"),
        (2, r"^\s*#\s*(define|ifdef|ifndef|endif)\b"),
        (3, r"\b(int|char|void|unsigned|size_t|struct \w+)\s+\*+\s*\w+"),
        (
            2,
            r"^\s*(static\s+|const\s+|unsigned\s+|inline\s+)*(int|char|void|long|size_t|double|float)\s+\**\w+\s*\([^)]*\)\s*\{?\s*$",
        ),
        (2, r"\b(printf|malloc|free|sizeof|strcpy|strlen|memcpy|scanf|fgets|fprintf)\s*\("),
        (2, r"\bchar\s+\w+\[\w*\]"),
        (1, r"\w->\w|\bNULL\b"),
        (1, r"^\s*(int|char|long|unsigned|float|double)\s+\w+(\s*=.*)?;"),
    ),
    "cpp": (
        (5, r"^\s*#\s*include\s*<(iostream|string|vector|map|memory|algorithm|fstream|sstream|cstring|cstdlib)>"),
        (4, r"\bstd::\w+|\busing namespace\b"),
        (3, r"\b(cout|cerr|cin)\s*(<<|>>)"),
        (3, r"\btemplate\s*<|\bnullptr\b|\bvirtual\b|^\s*(public|private|protected):"),
        (2, r"\w+::\w+\("),
        (1, r"\bchar\s+\w+\[\w*\]|\bconst\s+\w+\s*&"),
    ),
    "csharp": (
        (5, r"^\s*using\s+(static\s+)?[A-Z][\w.]*;"),
        (4, r"^\s*namespace\s+[\w.]+"),
        (3, r"\b(Console\.(Write|Read)\w*|string\.(Format|IsNullOrEmpty)|IActionResult|ActionResult|SqlCommand)\b"),
        (3, r"\{\s*get;|\bforeach\s*\(\s*(var|\w+)\s+\w+\s+in\b"),
        (3, r"\$\"[^\"\n]*\{"),
        (
            2,
            r"^\s*(public|private|protected|internal)\s+(static\s+|async\s+|override\s+|virtual\s+"
            r"|readonly\s+)*[\w<>\[\]?, ]+\s+[A-Z]\w*\s*[({]",
        ),
        (2, r"\b(string|bool|var|decimal)\s+\w+\s*="),
        (1, r"^\s*\[\w+(\(.*\))?\]\s*$"),
        (1, r"\bnew\s+[A-Z]\w*(<.*>)?\("),
    ),
    "ruby": (
        (3, r"^\s*def\s+(self\.)?\w+[?!]?(\(.*\)|\s+\w+.*)?\s*$"),
        (2, r"^\s*end\s*$"),
        (3, r"^\s*require(_relative)?\s+['\"]"),
        (3, r"\bdo\s*\|[^|]*\|"),
        (2, r"#\{[^}\n]*\}"),
        (2, r"\bparams\[:\w+\]|\battr_(accessor|reader)\b|\bputs\b"),
        (1, r"^\s*(unless|elsif|begin|rescue|module \w+|class \w+(\s*<\s*[\w:]+)?)\b"),
        (1, r"[\s(]:\w+\s*=>|@\w+\s*="),
    ),
}
_COMPILED = {
    language: tuple((weight, re.compile(sign, re.MULTILINE)) for weight, sign in signs)
    for language, signs in _SIGNS.items()
}
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*[)}\]]|^\s*(//|#include|#!|/\*|\*|@\w)|[\w\])]\s*(=|\+=|:=|==|!=|->|=>)\s*\S|\w\([^ ]*\)|\w+\.\w+\("
    r"|^\s*(def|class|import|from|return|if|for|while|func|function|var|let|const|public|private|end|try|except)\b.*[:({;]?\s*$"
)
_SENTENCE = re.compile(r"^[\s\-*•#>\d.]*[A-ZÀ-Ý\"“][^;{}=]*\s\w+[^;{}=]*\s\w+[^;{}=]*([.!?:,]|\w)\s*$")
_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|script|style|template|svg|\?xml)\b", re.IGNORECASE)
_IDEOGRAPHIC = re.compile(r"[一-鿿぀-ヿ가-힯]{6,}")


@dataclass(frozen=True, slots=True)
class Guess:
    """``language`` is a key of ``LABELS`` or "" where none stands out; ``prose`` says the text is no code at all."""

    language: str
    prose: bool


def known(name: str) -> str:
    """Return the canonical name of a programming language, or "" for any other word."""
    word = name.strip().lower()
    word = _ALIASES.get(word, word)
    return word if word in LANGUAGES else ""


def by_file_name(name: str) -> str:
    """Return the language that a file name ends in, or ""."""
    return _SUFFIXES.get(_suffix(name), "")


def other_by_file_name(name: str) -> str:
    """Return what to call the language of a file that is in none of those that are read, or ""."""
    return _OTHERS.get(_suffix(name), "")


def of_submission(text: str, name: str) -> str:
    """Return the language a submission is in, by its file's name or else by guess, or ""."""
    return by_file_name(name) or ("" if other_by_file_name(name) else guess(text).language)


def _suffix(name: str) -> str:
    _, dot, suffix = name.strip().lower().rpartition(".")
    return suffix if dot else ""


def guess(text: str) -> Guess:
    """Guess the language of ``text`` from its first 20,000 characters."""
    sample = "\n".join(line[:400] for line in text[:_SAMPLE].split("\n"))
    scores = {
        language: sum(
            weight * min(3, sum(1 for _ in zip(sign.finditer(sample), range(3), strict=False)))
            for weight, sign in signs
        )
        for language, signs in _COMPILED.items()
    }
    if scores["php"] < 8:
        scores["php"] *= 0.9
        if _MARKUP.match(sample):
            return Guess("", prose=False)
    best = max(scores, key=lambda it: scores[it])
    lines = [line for line in sample.split("\n") if line.strip()]
    coded = sum(1 for line in lines if _CODE_LINE.search(line))
    spoken = sum(
        1 for line in lines if _IDEOGRAPHIC.search(line) or (_SENTENCE.match(line) and not _CODE_LINE.search(line))
    )
    share = coded / len(lines) if lines else 0.0
    prose = (share < 0.35 and spoken > coded and scores[best] < 10) or (coded == 0 and scores[best] < 3)
    return Guess("" if prose or scores[best] < 2 else best, prose)
