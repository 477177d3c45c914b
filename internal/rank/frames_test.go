package rank

import (
	"context"
	"strings"
	"testing"
)

// Of a stack the error is left, and of its frames in the repository what they name; of those elsewhere nothing is.
func TestWithoutFrames(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Python": {`Totals are wrong
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/acme/worker.py", line 212, in run_forever
    self.dispatch(job)
  File "/home/ci/build/src/app/models.py", line 3, in total_price
    return sum(self.lines)
           ^^^^^^^^^^^^^^^
TypeError: unsupported operand

During handling of the above exception, another exception occurred:
`, "Totals are wrong\nTypeError: unsupported operand\n\n\ntotal_price\n    return sum(self.lines)\n           ^^^^^^^^^^^^^^^\n"},
		"nothing of the repository": {"Traceback (most recent call last):\n  File \"/opt/acme/worker.py\", line 2, in run\n    self.dispatch(job)\nKeyError: 'x'\n", "KeyError: 'x'\n"},
		"no error":                  {"Traceback (most recent call last):\n  File \"/opt/acme/worker.py\", line 2, in run\n    self.dispatch(job)\n", ""},
		"the Java machine": {"java.lang.IllegalStateException: drawer is open\n\tat java.base/java.util.ArrayList.add(ArrayList.java:5)\n\tat org.shop.Till.count(Till.java:5) ~[shop.jar:1.0]\n\tat org.acme.Main$$Lambda.run(Unknown Source)\n\t... 12 more\n",
			"java.lang.IllegalStateException: drawer is open\n\nTill.count\n"},
		".NET": {"Unhandled exception. System.ArgumentException: bad sum\n   at System.Linq.Enumerable.First[T](IEnumerable`1 source)\n   at Shop.Ledger.Post(Int32 amount) in C:\\src\\Shop\\Ledger.cs:line 4\n   at Shop.Ledger.Close(List`1 all)\n--- End of inner exception stack trace ---\n",
			"Unhandled exception. System.ArgumentException: bad sum\n\nLedger.Post\nLedger.Close\n"},
		"JavaScript": {"TypeError: x is undefined\n    at Button.render (webpack:///./web/ui/button.ts:2:3)\n    at async Promise.all (index 0)\n    at new Acme (file:///srv/acme/deep/index.js:1:2)\n    at /srv/acme/run.js:4:5\n    at Array.map (<anonymous>)\n    at node:internal/main/run_main:28:49\nrender@https://cdn.example.com/web/ui/button.ts:2:3\n",
			"TypeError: x is undefined\n    at async Promise.all (index 0)\n\nButton.render\nrender\n"},
		"Go": {"panic: no retries\n\ngoroutine 1 [running]:\nmain.main()\n\t/root/acme/cmd/main.go:12 +0x1d\nexample.com/x/lib.(*Loop).Retry(0xc00001, {0x0, 0x0})\n\t/go/src/x/lib/retry.go:5 +0x1d\ncreated by net/http.(*Server).Serve in goroutine 7\n\t/usr/lib/go/net/http/server.go:3285 +0x4b\nexit status 2\n",
			"panic: no retries\n\n\n(*Loop).Retry\n"},
		"Rust": {"thread 'main' panicked at crates/scale/src/weigh.rs:2:27:\noverflow\nstack backtrace:\n   0: core::panicking::panic\n             at /rustc/abc/library/core/src/panicking.rs:144:5\n   1: scale::weigh::weigh\n             at ./crates/scale/src/weigh.rs:2:5\nnote: run with `RUST_BACKTRACE=full` for a verbose backtrace.\n",
			"thread 'main' panicked at crates/scale/src/weigh.rs:2:27:\noverflow\n\n1: scale::weigh::weigh\n"},
		"quoted":           {"> It says\n>   File \"src/app/models.py\", line 3, in total_price\n>     return sum(self.lines)\n> Why?\n", "> It says\n> Why?\n\ntotal_price\n>     return sum(self.lines)\n"},
		"no stack":         {"Look at src/app/models.py:3, it is wrong (line 3).\n", "Look at src/app/models.py:3, it is wrong (line 3).\n"},
		"no line of words": {"Traceback (most recent call last):\n", "Traceback (most recent call last):\n"},
		"Ruby, PHP":        {"/srv/acme/a.rb:3:in `run'\n\tfrom /srv/acme/b.rb:4:in 'Acme::B#go'\n#0 /srv/acme/a.php(12): Acme->go()\n#1 {main}\nlib/acme.ex:12: Acme.go/2\n(stdlib 3.1) gen_server.erl:5: :gen_server.loop/7\nboom", "boom"},
		"C":                {"#0  0x00007f in crash (p=0x0) at src/acme.c:12\n#1  main () at main.c:3\n    #2 0x55 in LLVMFuzzerTestOneInput /src/fuzz.cc:3:5\n    #3 0x7f (/lib/libc.so.6+0x2)\n#12 is a duplicate\n", "#12 is a duplicate\n"},
	} {
		if got := string(withoutFrames([]byte(c.text), taskFiles())); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}

// A stack of another program leads nowhere by the words that all stacks have.
func TestForeignStack(t *testing.T) {
	files := taskFiles()
	for n := range files {
		if files[n].Path == "docs/receipts.md" {
			files[n].Path = "docs/call.md"
		}
	}
	text := "Traceback (most recent call last):\n" + strings.Repeat("  File \"/opt/acme/lib/worker.py\", line 2, in total_price\n    self.sum(order)\n", 3)
	o, err := ForTask(context.Background(), Task{Text: []byte(text), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if o.Says() {
		t.Errorf("it says something: %s first, %v", o.Files[0].Path, o.Why(o.Files[0].Path))
	}
}

// A frame's line leads to the function that it names, by the names of its file alone.
func TestCallsIn(t *testing.T) {
	for text, want := range map[string]string{
		`  File "/opt/acme/src/app/models.py", line 3, in total_price`:                                                                                               "models.py:3 total_price",
		"\tat org.shop.Till.count(Till.java:5) ~[shop.jar:1.0]":                                                                                                      "Till.java:5 count",
		"\tat org.shop.Till.lambda$count$0(Till.java:5)":                                                                                                             "Till.java:5 count",
		"   at Shop.Ledger`1.Post(Int32 amount, Action`2 then) in C:\\src\\Shop\\Ledger.cs:line 4":                                                                   "Ledger.cs:4 Post",
		"    at async Button.render (webpack:///./web/ui/button.ts:2:3)":                                                                                             "button.ts:2 render",
		"example.com/x/lib.(*Loop).Retry(0xc00001, {0x0, 0x0})\n\t/go/src/x/lib/retry.go:5 +0x1d":                                                                    "retry.go:5 Retry",
		"example.com/x/lib.(*Loop).Retry.func1()\n\t/go/src/x/lib/retry.go:5 +0x1d":                                                                                  "retry.go:5 Retry",
		"   1: scale::weigh::weigh\n             at ./crates/scale/src/weigh.rs:2:5":                                                                                 "weigh.rs:2 weigh",
		"#0 /srv/acme/a.php(12): App\\\\Acme->go(Object(App\\\\Till), 'x')\n#1 /srv/acme/b.php(4): {closure}()\n#2 /srv/acme/c.php(3): App\\Desk->open()\n#3 {main}": "b.php:4 open",
		"/srv/acme/b.rb:4:in 'Acme::B#go'":                                                                                                                           "b.rb:4 go",
		"lib/acme.ex:12: Acme.go/2":                                                                                                                                  "acme.ex:12 go",
		"#0  0x00007f in crash (p=0x0) at src/acme.c:12":                                                                                                             "acme.c:12 crash",
		"    at /srv/acme/run.js:4:5":                                                                                                                                "",
		"Look at src/app/models.py:3.":                                                                                                                               "",
	} {
		var got []string
		for place, name := range callsIn([]byte(text)) {
			got = append(got, place+" "+name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
