package rank

import "strings"

// common holds words that say nothing of a change: keywords of the languages,
// and the names of the commonest types and values. They are dropped from
// queries, not from documents.
var common = func() map[string]bool {
	m := map[string]bool{}
	for _, list := range []string{
		// JavaScript and TypeScript
		`abstract any arguments async await boolean break case catch class const constructor continue debugger declare default delete
		do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let
		module namespace never new null number object of package private protected public readonly require return satisfies set static
		string super switch symbol this throw true try type typeof undefined unique unknown var void while with yield`,
		// Go
		`bool byte chan defer error fallthrough float func goto int iota len map nil range rune select struct uint uintptr append cap make`,
		// Python
		`and as assert def del elif except global lambda none nonlocal not or pass print raise self cls str dict list tuple bytes`,
		// Java, Kotlin, Scala, C#
		`char double final float fun long native override short synchronized throws transient val volatile internal sealed virtual object
		using partial`,
		// Rust
		`crate dyn extern impl match mod move mut pub ref trait unsafe use where vec option result`,
		// C, C++, Ruby, PHP, shell
		`auto define endif ifdef ifndef include inline operator register signed sizeof template typename typedef union unsigned end
		begin ensure rescue then unless until echo foreach isset mixed array done elsif esac`,
		// types and values
		`array boolean date error int integer map number object promise record set string true false null undefined`,
	} {
		for w := range strings.FieldsSeq(list) {
			m[w] = true
		}
	}
	return m
}()
