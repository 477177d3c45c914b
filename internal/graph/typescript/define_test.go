package typescript

import (
	"fmt"
	"strings"
	"testing"
)

// TestExports: whatever a text exports is defined, with its lines and the end of its signature; + is seen by others, * the default.
func TestExports(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"list.ts", "const a = 1\nfunction b() {}\nclass C { m() {} }\nimport { x } from './x'\nexport { a, b as c, x, C as default }\nexport { y } from './y'\n", "+a const 1 1 1, +b func 2 2 2, *C class 3 3 3, +C.m method 3 3 3, +c alias 5 5 5"},
		{"function.ts", "export default async function () {\n}\n", "*default func 1 1 2"},
		{"arrow.ts", "/** Waits. */\nexport default (a: number,\n  b: number) => {\n  return a\n}\n", "*default func 2 3 5 Waits."},
		{"name.ts", "const a = () => {\n}\nexport default a\n", "*a func 1 1 2"},
		{"wrapped.tsx", "function Card() {}\nfunction same() {}\nexport default memo(forwardRef(Card as any), same)\n", "*Card func 1 1 1, same func 2 2 2"},
		{"connected.jsx", "class Card {}\nexport default connect(a)(Card)\n", "*Card class 1 1 1"},
		{"component.ts", "export default defineComponent({\n  name: 'x',\n  setup(props) {\n    return 1\n  },\n  render: () => 2,\n})\n", "*default const 1 1 7, +default.setup method 3 3 5, +default.render method 6 6 6"},
		{"object.js", "export default {\n  data() { return {} },\n}\n", "*default const 1 1 3, +default.data method 2 2 2"},
		{"class.ts", "export default class {\n  run() {}\n}\n", "*default class 1 1 3, +default.run method 2 2 2"},
		{"imported.ts", "import a from './a'\nexport default a\n", ""},
		{"whole.cts", "class Loom { weave() {} }\nexport = Loom\n", "*Loom class 1 1 1, +Loom.weave method 1 1 1"},
		{"private.ts", "export class A {\n  static #n = 1\n  run() { return this.#run() }\n  async #run() {\n  }\n  get #size() { return 1 }\n}\n", "+A class 1 1 7, A.#n field 2 2 2, +A.run method 3 3 3, A.#run method 4 4 5, A.#size method 6 6 6"},
		{"pattern.ts", "export const { useA, b: [useB], ...rest } = api\nconst [n, bem] = make()\n", "+useA const 1 1 1, +useB const 1 1 1, +rest const 1 1 1, n const 2 2 2, bem const 2 2 2"},

		{"one.js", "'use strict'\nvar util = require('util'), inherits = require('util').inherits\nmodule.exports = Thing\nfunction Thing(a) {\n}\nutil.inherits(Thing, Base)\n\n/** Runs. */\nThing.prototype.run = function run(\n  a) {\n}\nThing.of = a => a\nThing.size = 3\nfunction hidden() {}\n",
			"*Thing func 4 4 5, +Thing.run method 9 10 11 Runs., +Thing.of method 12 12 12, hidden func 14 14 14"},
		{"chain.js", "var app = exports = module.exports = {}\napp.use = app.add = function () {\n}\n", "*app var 1 1 1, +app.use method 2 2 3, +app.add method 2 2 3"},
		{"both.js", "exports = module.exports = create\nexports.version = '1'\nfunction create() {}\n", "+version const 2 2 2, *create func 3 3 3"},
		{"object.cjs", "const b = require('./b')\nconst a = 1\nmodule.exports = {\n  a,\n  z: a,\n  b,\n  c: require('./c'),\n  d: function () {\n  },\n  e(x) {},\n  'f-g': class {},\n  ...b,\n}\n",
			"+a const 2 2 2, +z alias 5 5 5, +b alias 6 6 6, +c alias 7 7 7, +d func 8 8 9, +e func 10 10 10, +f-g class 11 11 11"},
		{"members.js", "exports.a = function (x) {\n}\nmodule.exports.b = (x) => x\nexports['c'] = 1\nexports.d = local\nexports.local = local\nfunction local() {}\nexports.e = exports.f = void 0\nexports.e = exports.f = class { run() {} }\n",
			"+a func 1 1 2, +b func 3 3 3, +c const 4 4 4, +d alias 5 5 5, +local func 7 7 7, +e class 9 9 9, +e.run method 9 9 9, +f class 9 9 9, +f.run method 9 9 9"},
		{"compiled.js", "Object.defineProperty(exports, '__esModule', { value: true })\nexports.run = void 0\nObject.defineProperty(exports, 'run', { enumerable: true, get: function () { return x.run } })\nexports.default = stop\nfunction stop() {}\nObject.assign(module.exports, { go() {} })\n",
			"+run const 3 3 3, *stop func 5 5 5, +go func 6 6 6"},
		{"nameless.js", "module.exports = function (a) {\n}\n", "*default func 1 1 2"},
		{"named.js", "module.exports = function run(a) {\n}\n", "*run func 1 1 2"},
		{"made.js", "module.exports = new Thing(\n  1)\n", "*default const 1 1 2"},
		{"handed.js", "module.exports = require('./lib')\n", ""},
		{"prototype.js", "function A() {}\nA.prototype = {\n  run: function () {},\n  size: 1,\n}\nmodule.exports = { A: A }\n", "+A func 1 1 1, +A.run method 3 3 3"},
		{"wrapped.js", ";(function (root) {\n  function a() {}\n  if (typeof module !== 'undefined') { module.exports = a } else root.a = a\n}).call(this)\n", "*a func 2 2 2"},
		{"several.js", "var a = 1,\n  b = function () {\n  };\n", "a var 1 1 3, b func 2 2 3"},
		{"loaded.mjs", "const { a } = await import(" + `"./a"` + ")\nexport const b = await load()\n", "+b const 2 2 2"},
		{"none.js", "var exports = {}\nmodule.hot.accept()\nfoo.exports.a = 1\nObject.freeze(exports)\n", "exports var 1 1 1"},
	} {
		found, err := Define(c.name, []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for _, d := range found {
			mark := ""
			switch {
			case d.Default:
				mark = "*"
			case d.Exported:
				mark = "+"
			}
			got = append(got, strings.TrimSpace(fmt.Sprint(mark, d.Name, " ", d.Kind, " ", d.Line, d.Head, d.End, " ", d.Doc)))
			if d.Default && !d.Exported {
				t.Errorf("%s: %s is the default, and hidden", c.name, d.Name)
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, s, c.want)
		}
	}
}
