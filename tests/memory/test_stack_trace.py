"""A failure is known again by the frames of its trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.confirm import confirm
from memory.records import BugFacts, Kind, Record
from memory.report import RecallQuery
from memory.stack_trace import Frame, find_traces, same_failure

PYTHON = """Traceback (most recent call last):
  File "/srv/shop/app/views.py", line 41, in checkout
    total = cart.total()
  File "/srv/shop/app/cart.py", line 17, in total
    return sum(line.price for line in self.lines)
  File "/usr/lib/python3.11/decimal.py", line 9, in __add__
    raise TypeError
TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
"""
JAVA = """2026-01-01 ERROR request failed
java.lang.IllegalStateException: cart is closed
	at com.shop.cart.Cart.total(Cart.java:17)
	at com.shop.web.Checkout.post(Checkout.java:41)
	at java.base/java.lang.Thread.run(Thread.java:833)
"""
NODE = """TypeError: Cannot read properties of undefined (reading 'price')
    at Cart.total (/srv/shop/src/cart.js:17:9)
    at async checkout (/srv/shop/src/views.js:41:3)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.total(0xc000012018, 0x3)
	/srv/shop/cart.go:17 +0x1d
main.checkout(...)
	/srv/shop/views.go:41
"""
CSHARP = """System.InvalidOperationException: Sequence contains no elements
   at Shop.Cart.Total(List`1 lines) in C:\\src\\Shop\\Cart.cs:line 17
   at Shop.Views.Checkout() in C:\\src\\Shop\\Views.cs:line 41
"""
RUBY = """NoMethodError: undefined method `price' for nil
app/cart.rb:17:in `total'
	from app/views.rb:41:in `checkout'
"""
PHP = """PHP Fatal error:  Uncaught TypeError: bad price in /srv/cart.php:17
Stack trace:
#0 /srv/shop/cart.php(17): Shop\\Cart->total()
#1 /srv/shop/views.php(41): Shop\\Views->checkout()
"""
RUST = """thread 'main' panicked at src/main.rs:4:5:
index out of bounds: the len is 3 but the index is 99
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
   2: shop::cart::total
             at ./src/cart.rs:17:5
   3: shop::main
             at ./src/main.rs:4:5
"""
FIREFOX = """TypeError: price is undefined
total@https://shop.test/static/cart.js:17:15
checkout@https://shop.test/static/views.js:41:3
"""
TOP_LEVEL = """Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Shop.Cart.Total(Int32 n) in /src/Cart.cs:line 17
   at Program.<Main>$(String[] args) in /src/Program.cs:line 4
"""
NEW_RUBY = """app/cart.rb:17:in 'Cart#total': undefined method 'price' for nil (NoMethodError)
	from app/views.rb:41:in 'Views#checkout'
"""
GROUP = """  + Exception Group Traceback (most recent call last):
  |   File "/srv/views.py", line 41, in checkout
  |     async with TaskGroup() as group:
  |   File "/srv/cart.py", line 17, in total
  |     raise refused
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
"""
MODULES = """java.util.NoSuchElementException
	at java.base/java.util.ArrayList$Itr.next(ArrayList.java:1052)
	at app//com.shop.cart.Cart.total(Cart.java:17)
	at app//com.shop.web.Checkout.post(Checkout.java:41)
"""


@pytest.mark.parametrize(
    ("text", "error", "innermost", "count"),
    [
        (RUST, "panic", Frame("shop::cart::total", "cart.rs"), 2),
        (FIREFOX, "TypeError", Frame("total", "cart.js"), 2),
        (TOP_LEVEL, "NullReferenceException", Frame("Shop.Cart.Total", "Cart.cs"), 2),
        (NEW_RUBY, "NoMethodError", Frame("Cart#total", "cart.rb"), 2),
        (GROUP, "ExceptionGroup", Frame("total", "cart.py"), 2),
        (MODULES, "NoSuchElementException", Frame("com.shop.cart.Cart.total", "Cart.java"), 2),
        (PYTHON, "TypeError", Frame("total", "cart.py"), 2),
        (JAVA, "IllegalStateException", Frame("com.shop.cart.Cart.total", "Cart.java"), 2),
        (NODE, "TypeError", Frame("Cart.total", "cart.js"), 2),
        (GO, "panic", Frame("main.total", "cart.go"), 2),
        (CSHARP, "InvalidOperationException", Frame("Shop.Cart.Total", "Cart.cs"), 2),
        (RUBY, "NoMethodError", Frame("total", "cart.rb"), 2),
        (PHP, "TypeError", Frame("Shop\\Cart->total", "cart.php"), 2),
    ],
)
def test_traces_of_seven_languages_give_error_and_own_frames(
    text: str, error: str, innermost: Frame, count: int
) -> None:
    (trace,) = find_traces(f"It broke:\n{text}\nPlease help.")
    assert (trace.error, trace.frames[-1], len(trace.frames)) == (error, innermost, count)
    assert trace.quote in text
    assert f"It broke:\n{text}".split("\n")[trace.line - 1].strip() == trace.quote


@pytest.mark.parametrize("text", [PYTHON, JAVA, NODE, GO, CSHARP, RUBY, PHP])
def test_line_numbers_messages_and_folders_do_not_change_a_fingerprint(text: str) -> None:
    moved = (
        text.replace("17", "99").replace("41", "7").replace("/srv/shop", "/home/ci/build").replace("C:\\src", "D:\\b")
    )
    moved = moved.replace("cart is closed", "cart is gone").replace("0xc000012018", "0xc0000aaaaa")
    assert [it.fingerprint for it in find_traces(moved)] == [it.fingerprint for it in find_traces(text)]


def test_another_function_is_another_failure() -> None:
    other = find_traces(PYTHON.replace("in total", "in tax"))
    assert same_failure(find_traces(PYTHON), other) is None


def test_another_error_in_the_same_place_is_another_failure() -> None:
    assert same_failure(find_traces(PYTHON), find_traces(PYTHON.replace("TypeError:", "KeyError:"))) is None


def test_a_longer_road_to_the_same_place_is_the_same_failure() -> None:
    road = '  File "/srv/shop/wsgi.py", line 3, in serve\n    checkout()\n'
    longer = PYTHON.replace("(most recent call last):\n", f"(most recent call last):\n{road}")
    assert same_failure(find_traces(longer), find_traces(PYTHON)) is not None


def test_prose_and_code_hold_no_traces() -> None:
    assert find_traces("We met at the cafe (the old one). It was in line 4.") == ()
    assert find_traces("def total(self):\n    return sum(self.lines)\n") == ()
    assert find_traces('  File "a.py", line 1, in f\n') == ()


@given(st.text(alphabet=' at(File"line,:\n.py123', max_size=200))
def test_any_text_is_read_without_failing(text: str) -> None:
    for trace in find_traces(text):
        assert len(trace.frames) >= 1


def _record(make_record: object, symptom: str) -> Record:
    return make_record(BugFacts("Checkout fails", symptom=symptom), kind=Kind.BUG)  # type: ignore[operator]


def test_a_past_bug_is_confirmed_by_its_trace(make_record: object) -> None:
    record = _record(make_record, f"Seen in production.\n{PYTHON}")
    query = RecallQuery("local", (Kind.BUG,), PYTHON.replace("17", "23"), needs_cue=True)
    confirmation = confirm(record, query)
    assert confirmation is not None
    assert confirmation.cue.quote == 'File "/srv/shop/app/cart.py", line 23, in total'
    assert "stack trace" in confirmation.rule
    assert confirm(_record(make_record, NODE), query) is None
