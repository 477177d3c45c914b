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
		{"component.vue", "<script>\nexport default {\n  data() { return {} },\n  props: { slug: { default: () => null } },\n  watch: { 'a.b'() {} },\n  methods: {\n    /** Saves. */\n    async save(x) {\n    },\n    drop: function () {},\n  },\n}\n</script>\n",
			"*default const 2 2 12, +default.data method 3 3 3, +default.save method 8 8 9 Saves., +default.drop method 10 10 10"},
		{"decorated.ts", "/** A quay. */\n@Component({\n  selector: 'quay',\n})\nexport class Quay {\n  @Input() ship: Ship\n  @HostListener('x')\n  moor() {\n  }\n}\nexport @sealed class Pier {}\n", "+Quay class 5 5 10 A quay., +Quay.ship field 6 6 6, +Quay.moor method 8 8 9, +Pier class 11 11 11"},
		{"store.ts", "export const useShips = defineStore('ships', {\n  state: () => ({}),\n  actions: {\n    moor() {\n    },\n  },\n})\n", "+useShips const 1 1 7, +useShips.moor method 4 4 5"},
		{"resolvers.ts", "export const resolvers = {\n  Query: {\n    ship: (a) => a,\n    deep: { not() {} },\n  },\n  Ship: {},\n}\nconst later = { go() {} }\n", "+resolvers const 1 1 7, +resolvers.Query.ship method 3 3 3, later const 8 8 8, later.go method 8 8 8"},
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
		checkDefined(t, c.name, c.text, c.want)
	}
}

// checkDefined compares what a text defines with what is wanted.
func checkDefined(t *testing.T, name, text, want string) {
	t.Helper()
	found, err := Define(name, []byte(text))
	if err != nil {
		t.Errorf("%s: %v", name, err)
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
			t.Errorf("%s: %s is the default, and hidden", name, d.Name)
		}
	}
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s:\n got %s\nwant %s", name, s, want)
	}
}

// TestScripts: what a script offers stands in functions that run as it is loaded, in objects, and in calls that give names.
func TestScripts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"global.js", "window.App = (function () {\n  var size = 1\n  function grow() {}\n  return { grow: grow, of: function () {\n  } }\n})()\n", "+App const 1 1 6, size var 2 2 2, grow func 3 3 3, +App.of method 4 4 5"},
		{"named.js", "var App = (function () {\n  return { of: function () {} }\n}())\n", "App var 1 1 3, App.of method 2 2 2"},
		{"plugin.js", "(function ($) {\n  /** Fills. */\n  $.fn.fill = function (a) {\n  }\n  $.fn.fill.defaults = { done: function () {} }\n  $.extend($.fn, { dry: function () {} })\n  jQuery.extend({ wet() {} })\n})(jQuery)\n", "+$.fn.fill method 3 3 4 Fills., +$.fn.fill.defaults.done method 5 5 5, +$.fn.dry method 6 6 6, +jQuery.wet method 7 7 7"},
		{"factory.js", "(function (factory) {\n  if (typeof define === 'function' && define.amd) define(['jquery'], factory)\n  else if (typeof module === 'object') module.exports = factory(require('jquery'))\n  else factory(jQuery)\n}(function ($) {\n  function Loom() {}\n  Loom.prototype.weave = function () {}\n  return Loom\n}))\n", "*Loom func 6 6 6, +Loom.weave method 7 7 7"},
		{"umd.js", "(function (root, factory) {\n  root.Loom = factory(root.jQuery)\n})(this, function ($) {\n  return { weave: function () {}, size: 1 }\n})\n", "+weave func 4 4 4, +size const 4 4 4"},
		{"bundled.js", "(function (global, factory) {\n  factory(global.loom = {})\n}(this, (function (exports) { 'use strict'\n  function weave() {}\n  exports.weave = weave\n  exports.of = function () {}\n})))\n", "+weave func 4 4 4, +of func 6 6 6"},
		{"amd.js", "define(['a', 'b'], function (a, b) {\n  var View = a.View.extend({\n    render: function () {},\n    events: { click: 'x' },\n  })\n  return View\n})\n", "*View var 2 2 5, +View.render method 3 3 3"},
		{"returned.js", "define(function (require) {\n  return a.extend({\n    render: function () {},\n  })\n})\n", "*default const 2 2 4, +default.render method 3 3 3"},
		{"merged.js", "define(['jquery'], function ($) {\n  return $.fn.extend({\n    dry: function () {},\n  })\n})\ndefine(function () {\n  return $.fn.wet = function () {}\n})\n", "+$.fn.dry method 3 3 3, +$.fn.wet method 7 7 7"},
		{"object.js", "define({\n  render: function () {},\n})\n", "+render func 2 2 2"},
		{"module.js", "define('x', function (require, exports, module) {\n  var y = require('y')\n  exports.run = function () {}\n})\n", "+run func 3 3 3"},
		{"model.js", "(function () {\n  var root = this\n  var Model = root.Model = function () {\n  }\n  _.extend(Model.prototype, Events, {\n    get: function () {},\n  })\n}).call(this)\n", "root var 2 2 2, +Model func 3 3 4, +Model.get method 6 6 6"},
		{"prototype.js", "function A() {}\nA.prototype = {\n  run: function () {},\n}\nA.prototype.stop = function () {}\nB.C.prototype.run = () => {}\nB.D = class {\n  go() {}\n}\n", "A func 1 1 1, A.run method 3 3 3, A.stop method 5 5 5, +B.C.run method 6 6 6, +B.D class 7 7 9, +B.D.go method 8 8 8"},
		{"deep.js", "var app = {\n  views: { page: { show: function () {}, get size() { return 1 } } },\n}\nApp.controllers = { prototype: { go() {} } }\n", "app var 1 1 3, app.views.page.show method 2 2 2, app.views.page.size method 2 2 2, +App.controllers.go method 4 4 4"},
		{"widget.js", "define(['jquery'], function ($) {\n  return $.widget('ui.dialog', $.ui.box, {\n    open: function () {},\n  })\n})\n", "+ui.dialog class 2 2 4, +ui.dialog.open method 3 3 3"},
		{"mixed.js", "$.widget('ui.menu', [$.ui.box, {\n  open: function () {},\n}])\n", "+ui.menu class 1 1 3, +ui.menu.open method 2 2 2"},
		{"declared.js", "var Base = declare('my.Base', [A], {\n  open: function () {},\n})\nExt.define('App.view.Page', { show: function () {} })\n", "Base var 1 1 3, +my.Base class 1 1 3, +my.Base.open method 2 2 2, +App.view.Page class 4 4 4, +App.view.Page.show method 4 4 4"},
		{"angular.js", "angular.module('app', [])\n  .controller('Page', ['$scope', function ($scope) {\n  }])\n  .directive('row', function () {\n  })\n", "+Page func 2 2 3, +row func 4 4 5"},
		{"mode.js", "CodeMirror.defineMode('zig', function (config) {\n  function token() {}\n  return { start: function () {} }\n})\n", "+zig func 1 1 4, token func 2 2 2, +zig.start method 3 3 3"},
		{"class.js", "var Cat = new Class({\n  purr: function () {},\n})\nvar Dog = Class.create(Cat, { bark: function () {} })\nvar made = Object.create(x, { no: function () {} })\n", "Cat var 1 1 3, Cat.purr method 2 2 2, Dog var 4 4 4, Dog.bark method 4 4 4, made var 5 5 5"},
		{"ready.js", "$(function () {\n  function show() {}\n})\n$(document).ready(function () {\n  var hide = function () {}\n})\ndocument.addEventListener('DOMContentLoaded', () => {\n  function go() {}\n})\n", "show func 2 2 2, hide func 5 5 5, go func 8 8 8"},
		{"called.js", "describe('x', function () {\n  function helper() {}\n})\n$.ajax({ success: function () {} })\nvar r = $.ajax({ success: function () {} })\na().b = function () {}\na[b] = function () {}\n", "r var 5 5 5"},
		{"known.js", "window.size = 1\nfunction run() {}\nwindow.run = run\nself.stop = function () {}\nlater = function () {}\n", "+size const 1 1 1, +run func 2 2 2, +stop func 4 4 4, +later func 5 5 5"},
		{"later.js", "!function () {\n  function a() {}\n}()\nvoid function () {\n  function b() {}\n}()\nnew function () {\n  function c() {}\n}\n", "a func 2 2 2, b func 5 5 5, c func 8 8 8"},
		{"module.mjs", "import $ from 'jquery'\n$.fn.fill = function () {}\nvar app = { run: function () {} }\ndefine(function () { function x() {} })\n", "app var 3 3 3, app.run method 3 3 3"},
	} {
		checkDefined(t, c.name, c.text, c.want)
	}
}
