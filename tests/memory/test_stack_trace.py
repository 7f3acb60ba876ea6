"""A failure is known again by the frames of its trace."""

from __future__ import annotations

import json

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


GDB = """Program received signal SIGSEGV, Segmentation fault.
0x000055555555518d in shop::Cart::total (this=0x0) at cart.cpp:17
17	  return lines_->sum();
(gdb) bt
#0  0x000055555555518d in shop::Cart::total (this=0x0) at cart.cpp:17
#1  0x00005555555551f0 in shop::checkout (cart=...) at views.cpp:41
#2  0x00007ffff7829d90 in __libc_start_call_main () from /lib/x86_64-linux-gnu/libc.so.6
"""
LLDB = """* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
  * frame #0: 0x0000000100003f2c app`shop::Cart::total(this=0x0000000000000000) at cart.cpp:17:10
    frame #1: 0x0000000100003f80 app`shop::checkout(cart=0x0) at views.cpp:41:5
    frame #2: 0x00007ff80a2b3310 dyld`start + 2432
"""
ASAN = """==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x4c5e0f bp 0x7ffc sp 0x7ffc
READ of size 4 at 0x602000000010 thread T0
    #0 0x4c5e0e in shop::Cart::total(int) /srv/shop/cart.cpp:17:10
    #1 0x4c6001 in shop::checkout(Cart&) /srv/shop/views.cpp:41:5
    #2 0x7f1234 in __libc_start_main (/lib/x86_64-linux-gnu/libc.so.6+0x21b96)

freed by thread T0 here:
    #0 0x493f2d in operator delete(void*) (/srv/shop/a.out+0x493f2d)
    #1 0x4c5d00 in shop::Cart::close() /srv/shop/cart.cpp:60:3
    #2 0x4c5d90 in shop::idle() /srv/shop/idle.cpp:6:3
"""
GLIBC = """terminate called after throwing an instance of 'std::out_of_range'
./app(+0x1269)[0x55d0c0a00269]
./app(_ZN4shop4Cart5totalEv+0x1d)[0x55d0c0a0118d]
./app(_ZN4shop8checkoutEv+0x2b)[0x55d0c0a0125b]
/lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0xf3)[0x7f2]
"""
CRASH_REPORT = """Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
Triggered by Thread:  3

Thread 0:
0   libsystem_kernel.dylib        	0x00000001b2c3d4e5 mach_msg2_trap + 8
1   Shop                          	0x0000000104a1b2c4 Clock.tick() + 12 (Clock.swift:3)

Thread 3 Crashed:
0   Shop                          	0x0000000104a1b2c4 Cart.total() + 120 (Cart.swift:17)
1   Shop                          	0x0000000104a1b3d8 Checkout.post(_:) + 88 (Views.swift:41)
2   UIKitCore                     	0x00000001b2c3d4e5 -[UIApplication sendAction:to:] + 96

Thread 4:
0   libsystem_pthread.dylib       	0x00000001b2c3d4e5 _pthread_wqthread + 8
1   Shop                          	0x0000000104a1b2c4 Clock.tock() + 12 (Clock.swift:9)
"""
SWIFT = """Fatal error: Index out of range
Thread 0 "shop" crashed:

0 0x00007f2d2aebd2f5 Cart.total() in shop at /srv/shop/Cart.swift:17:9
1 0x00005592a1b2c3d4 Checkout.post(_:) in shop at /srv/shop/Views.swift:41:16
"""
RUST_RELEASE = """thread 'main' (4211) panicked at src/cart.rs:17:5:
stack backtrace:
   0:     0x55a1b2c3d4e5 - std::backtrace_rs::backtrace::trace::h1a2b3c4d5e6f7a8b
   1:     0x55a1b2c3d505 - shop::cart::total::h1a2b3c4d5e6f7a8d
   2:     0x55a1b2c3d515 - <core::pin::Pin<P> as core::future::future::Future>::poll::h1a2b3c4d5e6f7a8e
   3:     0x55a1b2c3d525 - shop::views::checkout::h1a2b3c4d5e6f7a8f
"""
GOROUTINES = """2026/01/01 12:00:01 http: panic serving 10.0.0.1:53122: runtime error: invalid memory address
goroutine 34 [running]:
net/http.(*conn).serve.func1()
	/usr/local/go/src/net/http/server.go:1868 +0xb9
shop.(*Cart).Total(0xc0000b4000, {0x7a8f08, 0xc0000e0000})
	/srv/shop/cart.go:17 +0x1a5
shop.Checkout(...)
	/srv/shop/views.go:41

goroutine 1 [chan receive]:
shop.wait(0xc000007a00)
	/srv/shop/wait.go:9 +0x3c8
shop.main()
	/srv/shop/main.go:47 +0x1c5
"""


@pytest.mark.parametrize(
    ("text", "error", "innermost", "count"),
    [
        (RUST, "panic", Frame("shop::cart::total", "cart.rs"), 2),
        (RUST_RELEASE, "panic", Frame("shop::cart::total", ""), 2),
        (GDB, "SIGSEGV", Frame("shop::Cart::total", "cart.cpp"), 2),
        (LLDB, "EXC_BAD_ACCESS", Frame("shop::Cart::total", "cart.cpp"), 2),
        (ASAN, "heap-use-after-free", Frame("shop::Cart::total", "cart.cpp"), 2),
        (GLIBC, "out_of_range", Frame("shop::Cart::total", "app"), 2),
        (CRASH_REPORT, "EXC_BAD_ACCESS", Frame("Cart.total", "Cart.swift"), 2),
        (SWIFT, "panic", Frame("Cart.total", "Cart.swift"), 2),
        (GOROUTINES, "panic", Frame("shop.(*Cart).Total", "cart.go"), 2),
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
def test_a_trace_gives_its_error_and_the_programs_own_frames_and_no_thread_beside_it(
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


PREFIXES = {
    "iso": "2026-05-01T12:00:01.123Z ",
    "log4j": "2026-05-01 12:00:01,123 ERROR [worker-3] app.main - ",
    "journald": "May 01 12:00:01 web-1 gunicorn[4211]: ",
    "compose": "web-1  | 2026-05-01T12:00:01.123456789Z ",
    "kubelet": "2026-05-01T12:00:01.123456789Z stderr F ",
    "kubectl": "[pod/web-6d4b75cb6d-hwmd9/web] ",
    "syslog": "<11>1 2026-05-01T12:00:01.003Z web app 4211 - - ",
    "heroku": "2026-05-01T12:00:01.123456+00:00 app[web.1]: ",
    "android": "05-01 12:00:01.123  4211  4230 E AndroidRuntime: ",
    "actions": "build\tRun tests\t2026-05-01T12:00:01.1234567Z ",
    "mail": "> > ",
}


@pytest.mark.parametrize("text", [PYTHON, JAVA, NODE, GO, CSHARP, RUBY, PHP, RUST, GDB, ASAN, CRASH_REPORT, SWIFT])
def test_what_a_log_puts_before_its_lines_or_around_them_changes_no_fingerprint(text: str) -> None:
    (plain,) = find_traces(text)
    lines = text.rstrip("\n").split("\n")
    logs = {name: "\n".join(prefix + line for line in lines) for name, prefix in PREFIXES.items()}
    logs["docker"] = "\n".join(json.dumps({"log": f"{line}\n", "stream": "stderr"}) for line in lines)
    logs["one line"] = '{"msg": "up"}\n' + json.dumps({"stack": text, "level": "error", "msg": "it broke"})
    logs["a field"] = json.dumps({"exception": {"stacktrace": text}, "severity": "ERROR"}, indent=2)
    for name, log in logs.items():
        found = find_traces(f"Since Monday we see this.\n{log}\nIt is the third time.")
        assert [it.fingerprint for it in found] == [plain.fingerprint], name
        assert found[0].quote in log.split("\n")[found[0].line - 2], name


def test_one_crash_seen_by_two_tools_is_one_failure_where_neither_names_another_error() -> None:
    unnamed = GDB.split("(gdb) bt\n")[1]
    assert same_failure(find_traces(unnamed), find_traces(ASAN)) is not None
    assert same_failure(find_traces(GDB), find_traces(ASAN)) is None


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
    assert find_traces("#12 Fix login (urgent)\n#13 Fix logout (later)\n1 Cart is in shop\n2 Views are in shop") == ()


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
