package rank

import (
	"strings"
	"testing"
)

// TestDefinedBy: what a line of a language defines for the rest of the repository; a variable of a function is none, and neither is what a
// comment says.
func TestDefinedBy(t *testing.T) {
	for _, c := range []struct {
		family family
		line   string
		want   string
	}{
		{dotnet, "    public QueryResult<Buoy> GetBuoys(BuoyQuery query)", "GetBuoys"},
		{dotnet, "        var rows = query", ""},
		{dotnet, "    [Fact(Timeout = 3000)]", ""},
		{dotnet, "    [Theory, Trait(\"tide\", \"low\")] public void Moors(int depth)", "Moors"},
		{clang, "[[nodiscard]] int sound(int depth) {", "sound"},
		{dotnet, "        // the previous First() lookup did.", ""},
		{dotnet, "    /// <see cref=\"Buoy\"/> of Chart(x)", ""},
		{dotnet, "public class Harbour(IClock clock)", "Harbour"},
		{rust, "pub fn moor(&self) -> Berth {", "moor"},
		{rust, "    let berth = self.berth();", ""},
		{rust, "static TIDES: &[u8] = b\"\";", "TIDES"},
		{jvm, "    val berths: List<Berth> = emptyList()", "berths"},
		{jvm, "        val berth = berths.first()", ""},
		{jvm, "     * the tide of harbour(x)", ""},
		{jvm, "  void moor(Ship ship) {", "moor"},
		{swift, "    var depth: Int { 3 }", "depth"},
		{swift, "        let depth = chart.depth(at: here)", ""},
		{clang, "#define MAX_DEPTH 12", "MAX_DEPTH"},
		{clang, "/* int sound(int depth)", ""},
		{php, "namespace Harbour\\Model;", ""},
		{dotnet, "namespace Harbour.Model;", ""},
		{php, "namespace Harbour;", ""},
		{dotnet, "namespace Harbour;", ""},
		{clang, "namespace harbour {", "harbour"},
		{ruby, "  # def sound(depth)", ""},
		{php, "    private static function moorAll(Ship $ship) {", "moorAll"},
		{php, "    public function moor(Ship $ship) {", "moor"},
		{ruby, "  def sound(depth)", "sound"},
		{firstOther, "defmodule Harbour.Tides do", "Tides"},
		{firstOther, "  defp moor(ship) do", "moor"},
		{firstOther, "function Harbour:moor(ship)", "moor"},
		{firstOther, "local function sound(depth)", "sound"},
		{firstOther, "CREATE OR REPLACE VIEW berths AS", "berths"},
		{firstOther, "moor_all() {", "moor_all"},
		{firstOther, "  void moor(Ship ship) {", "moor"},
		{firstOther, "  if (moored(ship)) {", ""},
		{firstOther, "soundings :: Depth -> [Chart]", "soundings"},
		{firstOther, "-- function moor()", ""},
		{firstOther, "moor(ship)", ""},
	} {
		if got := string(definedBy(c.family, []byte(c.line))); got != c.want {
			t.Errorf("%q defines %q, want %q", c.line, got, c.want)
		}
	}
}

// TestDefine: a component's style sheet defines no names, and what stands behind it does.
func TestDefine(t *testing.T) {
	for text, want := range map[string]string{
		"<script>\nfunction moor () {}\n</script>\n<style scoped>\n.a {\n\tbottom: 3px;\n}\n</style>\n<script>\nfunction sail () {}\n": "moor sail",
		"const quay = 1\n<style>\n\tbottom: 3px;\n": "quay",
		"  moor(ship) {\n":                          "moor",
	} {
		var got []string
		define(script, []byte(text), func(name []byte) { got = append(got, string(name)) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q defines %q, want %q", text, got, want)
		}
	}
}
