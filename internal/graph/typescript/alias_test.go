package typescript

import (
	"strings"
	"testing"
)

// under reads what a text says names stand for below a key.
func under(text, key string) []stated {
	r := literals{tokens: literalTokens(text), dir: "/repo/a"}
	return r.under(key)
}

func FuzzStated(f *testing.F) {
	f.Add(`export default { resolve: { alias: { '@': path.resolve(__dirname, 'src'), b: ["./x", "./y"] } } }`)
	f.Add(`alias: [{ find: '@', replacement: new URL('./src', import.meta.url) }, { find: /x/ }]`)
	f.Add("{\"moduleNameMapper\": {\"^@/(.*)$\": \"<rootDir>/src/$1\"}, \"imports\": {\"x/\": \"jsr:@a/b@1\"}}")
	f.Add("alias:{a)]}alias:[{)},{`${")
	f.Add("alias: { '@': '\\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, key := range []string{"alias", "moduleNameMapper", "imports"} {
			for _, s := range under(text, key) {
				if s.from == "" || len(s.to) == 0 {
					t.Fatalf("%q: %+v", text, s)
				}
				for _, name := range s.leads(s.from + "/x") {
					if name == "" {
						t.Fatalf("%q: %+v leads nowhere", text, s)
					}
				}
			}
		}
	})
}

// TestStatedGrows reads long texts that are made to be slow.
func TestStatedGrows(t *testing.T) {
	for _, unit := range []string{"alias:{", "alias:[{", "alias:{a:[", "alias:{a:(", "alias:{)", "alias=", "'", "`", "/*"} {
		under(strings.Repeat(unit, maxConfigured/len(unit)), "alias")
	}
}
