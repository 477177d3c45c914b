package text

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Sentences as they stand in comments of real projects.
var prose = map[Encoding][]string{
	ShiftJIS: {
		"// 設定ファイルを読み込み、キャッシュに保存します。\nint main(void) { return 0; }\n",
		"# これはテストです\n",
		"/* 処理が終わったら呼ばれる */",
		"printf(\"エラー: %s\\n\", s);",
	},
	EUCJP: {
		"// 設定ファイルを読み込み、キャッシュに保存します。\nint main(void) { return 0; }\n",
		"# これはテストです\n",
	},
	EUCKR: {
		"// 설정 파일을 읽어서 캐시에 저장합니다.\nint main(void) { return 0; }\n",
		"# 이것은 테스트입니다\n",
		"/* 사용자 인증 토큰을 확인한다 */ JSON을 반환",
		"한국어 문서",
	},
	GBK: {
		"// 读取配置文件，并保存到缓存中。\nint main(void) { return 0; }\n",
		"# 这是一个测试\n",
		"/* 用户登录 */ int login(char *name);",
		"中文文档",
	},
	Windows1252: {
		"it’s what we don’t say, “The end”, he’s",
		"// costs 5 € – or more…",
	},
	Latin1: {
		"// Größe und Höhe des Fensters ändern, falls nötig: müßte außen übrig bleiben\n",
		"// Le café est déjà prêt; l'été précédent, naïf.\n",
		"-- DESCRIÇÃO, SITUAÇÃO, OPERAÇÃO, NÃO\n",
		"© 2005 José Núñez, 25 °C ±5 µm «ça»",
		"Ångström Ängste Öl Übung",
		"één",
		"MÄÄRÄ, PÄIVÄÄ, HÄÄYÖ, SÄÄTÖ, PÄÄTTYY",
	},
}

func TestDetectLegacy(t *testing.T) {
	for enc, texts := range prose {
		for _, s := range texts {
			b := Encode([]byte(s), enc)
			if utf8.Valid(b) {
				t.Fatalf("%s: %q is ASCII", enc, s)
			}
			if got := Detect(b); got != enc {
				t.Errorf("%q as %s: detected %q", s, enc, got)
				continue
			}
			if got := string(Decode(b, enc)); got != s {
				t.Errorf("%q as %s: decoded %q", s, enc, got)
			}
			// Bytes that nothing precedes or follows, and ASCII around them, change nothing.
			long := append(bytes.Repeat([]byte("int x;\n"), 3000), b...)
			if got := Detect(append(long, long...)); got != enc {
				t.Errorf("%q as %s, twice behind 21 kB of ASCII: detected %q", s, enc, got)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	random := make([]byte, 4096)
	rng := rand.NewChaCha8([32]byte{1})
	rng.Read(random)
	noNUL := bytes.ReplaceAll(random, []byte{0}, []byte{1})
	for _, c := range []struct {
		name, in string
		want     Encoding
	}{
		{"empty", "", UTF8},
		{"ascii", "package main\n", UTF8},
		{"nul", "a\x00b", Binary},
		{"utf-8", "naïve – 日本語 😀", UTF8},
		{"bom", "\xEF\xBB\xBFx", UTF8BOM},
		{"bom alone", "\xEF\xBB\xBF", UTF8BOM},
		{"bom and rubbish", "\xEF\xBB\xBF\xFFab", UTF8BOM},
		{"bom and nul", "\xEF\xBB\xBFa\x00", Binary},
		{"utf-16le", "\xFF\xFEa\x00\n\x00", UTF16LE},
		{"utf-16be", "\xFE\xFF\x00a\x00\n", UTF16BE},
		{"utf-16 bom alone", "\xFF\xFE", UTF16LE},
		{"utf-16, odd", "\xFF\xFEa\x00b", Binary},
		{"utf-16, nul unit", "\xFF\xFEa\x00\x00\x00", Binary},
		{"utf-16, surrogate pair", "\xFF\xFE\x3D\xD8\x00\xDE", UTF16LE},
		{"utf-16, lone surrogates", "\xFF\xFE\x3D\xD8a\x00\x00\xDE", Binary},
		{"utf-16 without bom", "a\x00\n\x00", Binary},
		{"utf-32le", "\xFF\xFE\x00\x00a\x00\x00\x00", Binary},
		{"one high byte", "caf\xE9", Latin1},
		{"one pair", "\xD6\xD0", Latin1},
		{"random", string(random), Binary},
		{"random without nul", string(noNUL), Binary},
		{"gzip without nul", "\x1f\x8b\x08\x01\x01\x02\x03\x04\x02\x03\xcb\x48\xcd\xc9\xc9\x07", Binary},
	} {
		if got := Detect([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// UTF-8 with at most 1 bad byte in 1,000 is UTF-8, and the bad bytes are counted.
// Latin-1 and East Asian texts that are ASCII but for a few words stay what they are.
func TestDetectDamagedUTF8(t *testing.T) {
	german := strings.Repeat("Größe und Höhe\n", 100) // 1,700 bytes
	ascii := strings.Repeat("int x;\n", 300)
	for _, c := range []struct {
		name, in string
		want     Encoding
		bad      int
	}{
		{"one bad byte", german + "\xFF", UTF8, 1},
		{"half a character", german + "\xC3", UTF8, 1},
		{"a character without its end", strings.Repeat(german, 2) + "\xE8\xAA.", UTF8, 2},
		{"a latin-1 letter in UTF-8", german + "caf\xE9", UTF8, 1},
		{"behind a BOM", "\xEF\xBB\xBF" + german + "\xFF", UTF8BOM, 1},
		{"more than one", german + "\xFF\xFE", UTF8, 2},
		{"a short one behind a BOM", "\xEF\xBB\xBFab\xFF", UTF8BOM, 1},
		{"just enough text", strings.Repeat("a", 999) + "\xFF", UTF8, 1},
		{"one byte too few", strings.Repeat("a", 998) + "\xFF", Latin1, 0},
		{"ASCII and a stray byte", ascii + "\x80\n", UTF8, 1},
		{"ASCII and a name in latin-1", ascii + "// Jos\xE9\n", Latin1, 0},
		{"ASCII and a sign in latin-1", ascii + "// \xA9 2005\n", Latin1, 0},
		{"ASCII and a comment in Shift-JIS", strings.Repeat(ascii, 20) + string(Encode([]byte("# これはテストです\n"), ShiftJIS)), ShiftJIS, 0},
		{"NUL", german + "\x00\xFF", Binary, 0},
	} {
		b := []byte(c.in)
		if got := Detect(b); got != c.want || Undecodable(b, got) != c.bad {
			t.Errorf("%s: %q, %d undecodable; want %q, %d", c.name, got, Undecodable(b, got), c.want, c.bad)
			continue
		}
		s := Decode(b, c.want)
		if c.want != Binary && (!utf8.Valid(s) || c.bad > 0 && bytes.Count(s, replacement) != c.bad) {
			t.Errorf("%s: decoded to %q", c.name, s)
		}
	}
	if s := Decode([]byte(german+"\xFFx"), UTF8); string(s) != german+"\uFFFDx" {
		t.Errorf("a bad byte is not replaced alone: %q", s[len(s)-8:])
	}
	if s := []byte("a\uFFFDb"); Undecodable(s, UTF8) != 0 {
		t.Error("a replacement character of the text's own is counted")
	}
}

// Valid UTF-8 of every script is UTF-8, cut at a rune or not beside other bytes.
func TestDetectUTF8(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ranges := [][2]rune{{0x80, 0x250}, {0x370, 0x500}, {0x3040, 0x3100}, {0x4E00, 0x9FA5}, {0xAC00, 0xD7A3}, {0x1F300, 0x1F600}}
	for i := range 2000 {
		var s strings.Builder
		r := ranges[i%len(ranges)]
		for range 1 + rng.IntN(200) {
			s.WriteRune(r[0] + rng.Int32N(r[1]-r[0]))
		}
		if got := Detect([]byte(s.String())); got != UTF8 {
			t.Fatalf("%q detected as %q", s.String(), got)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for enc, texts := range prose {
		for _, s := range texts {
			f.Add(Encode([]byte(s), enc))
		}
	}
	f.Add([]byte(strings.Repeat("Größe\n", 200) + "\xFF"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e := Detect(b)
		if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 && e != UTF8 && e != UTF8BOM {
			t.Errorf("valid UTF-8 detected as %q", e)
		}
		s := Decode(b, e)
		if e != Binary && !utf8.Valid(s) {
			t.Errorf("%q: decoded to invalid UTF-8", e)
		}
		switch e {
		case UTF8, UTF8BOM, Latin1, Binary:
			if Undecodable(b, e) > 0 {
				return
			}
			if !bytes.Equal(Encode(s, e), b) {
				t.Errorf("%q: decoding and encoding changed the bytes", e)
			}
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	for name, in := range map[string][]byte{
		"ascii":   bytes.Repeat([]byte("\tif err != nil { return err }\n"), 32<<10),
		"gbk":     bytes.Repeat(Encode([]byte("// 读取配置文件，并保存到缓存中。\n"), GBK), 32<<10),
		"latin1":  bytes.Repeat([]byte("// caf\xE9 "), 128<<10),
		"hostile": bytes.Repeat([]byte("\xD6\xD0 \xFF"), 256<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				Detect(in)
			}
		})
	}
}
