package rank

import "testing"

// TestOwnPackages: packages of a stack are no words of a task, where it names them beside its frames neither.
func TestOwnPackages(t *testing.T) {
	for text, want := range map[string]string{
		"ANR in org.shop.till (org.shop.till/.view.TillActivity)\n  at org.shop.till.view.TillActivity.count(TillActivity.kt:5)\n": "ANR in               (             /.view.TillActivity)\n  at                    TillActivity.count(TillActivity.kt:5)\n",
		"use org.shop.till of com.other\n":                         "use org.shop.till of com.other\n",
		"at org.shop.Till.count(Till.java:5)\nand com.other.api\n": "at          Till.count(Till.java:5)\nand com.other.api\n",
	} {
		if got := string(withoutPackages(withoutOwnPackages([]byte(text)))); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}
