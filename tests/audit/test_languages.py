"""Which language a text is taken for."""

from __future__ import annotations

import pytest

from audit.languages import by_file_name, guess, known

SNIPPETS = {
    "python": "import os\n\n\ndef main():\n    for name in os.listdir('.'):\n        print(name)\n",
    "javascript": "const fs = require('fs');\nfs.readFile('a', (error, data) => {\n  console.log(data);\n});\n",
    "typescript": "interface User {\n  name: string;\n}\nconst greet = (user: User): string => `Hi ${user.name}`;\n",
    "java": "package a.b;\n\npublic class Main {\n  public static void main(String[] args) {\n    run();\n  }\n}\n",
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tname := "x"\n\tfmt.Println(name)\n}\n',
    "php": "<?php\n$name = $_GET['name'];\necho htmlspecialchars($name);\n",
    "c": '#include <stdio.h>\n\nint main(void) {\n  char name[8];\n  printf("%s", name);\n  return 0;\n}\n',
    "cpp": '#include <iostream>\n\nint main() {\n  std::cout << "x" << std::endl;\n  return 0;\n}\n',
    "csharp": "using System;\n\nnamespace App\n{\n  class A\n  {\n    static void Main() { Go(); }\n  }\n}\n",
    "ruby": "require 'json'\n\ndef greet(name)\n  puts \"Hi #{name}\"\nend\n",
}


@pytest.mark.parametrize("language", SNIPPETS)
def test_a_language_is_told_from_its_text(language: str) -> None:
    assert guess(SNIPPETS[language]).language == language
    assert not guess(SNIPPETS[language]).prose


@pytest.mark.parametrize(
    "text",
    [
        "We sell software to hospitals. Revenue grew by a third last year, and the team has ten people.",
        "Dear investors,\n\nPlease find our plan for the coming year below. We expect to break even in March.\n",
        "我们是一家面向中小企业的支付公司，去年收入增长了三倍。团队由五位工程师组成。",
    ],
)
def test_prose_is_told_from_code(text: str) -> None:
    assert guess(text).prose


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.PY", "python"), ("x.test.ts", "typescript"), ("Makefile", ""), ("a.b.cs", "csharp"), ("", "")],
)
def test_a_file_s_name_tells_its_language(name: str, language: str) -> None:
    assert by_file_name(name) == language


@pytest.mark.parametrize(
    ("word", "language"),
    [("JS", "javascript"), ("c#", "csharp"), ("C++", "cpp"), ("golang", "go"), ("en", ""), ("", "")],
)
def test_a_language_is_known_by_its_usual_names(word: str, language: str) -> None:
    assert known(word) == language
