package source

import (
	"path"
	"slices"
	"strings"

	"github.com/haversack-dev/haversack/internal/language"
	"github.com/haversack-dev/haversack/internal/lazyregexp"
)

// createsTable is how SQL makes a table, and mapsTable how a class says which table it is.
var (
	createsTable = lazyregexp.New("(?i)\\bCREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?[`\"\\[]?([A-Za-z_][\\w.]*)[`\"\\]]?\\s*\\(")
	mapsTable    = lazyregexp.New(`\b__tablename__\s*=\s*["'](\w+)["']|@Table\(\s*name\s*=\s*"(\w+)"`)
)

// hints of what they find: a text without any has none.
var (
	tableHints = [][]byte{[]byte("TABLE"), []byte("table ("), []byte("create table"), []byte("__tablename__"), []byte("@Table(")}
	mapHints   = tableHints[3:]
)

// nameForm is how a language names something to a library. A text without any of the hints does not.
type nameForm struct {
	names *lazyregexp.Regexp
	hints [][]byte
}

// tableForms are how a language names a table to what reaches the database for it: where a step makes it, a schema holds it, a class
// stands for it. By language: Rails, Ecto, Alembic, SQLAlchemy and Django, Laravel and Doctrine, Knex, Drizzle, TypeORM and Sequelize, Exposed and
// Room, Entity Framework, Diesel, GORM, Prisma.
var tableForms = map[string]nameForm{
	"Ruby":       formOf(`\bcreate_table[ (]+[:"'](\w[\w.]*)|\bself\.table_name *= *["'](\w[\w.]*)`, "create_table", "self.table_name"),
	"Elixir":     formOf(`\bcreate(?:_if_not_exists)?[ (]+table\([ \n]*[:"](\w+)|\bschema[ (]+"(\w+)"\)? do\b`, "table(", "schema"),
	"Python":     formOf(`\bop\.create_table\(\s*["'](\w+)|\bTable\(\s*["'](\w+)["'],\s*(?:\w+\.)?_?meta|\bdb_table *= *["'](\w[\w.]*)`, "op.create_table(", "Table(", "db_table"),
	"PHP":        formOf(`\bSchema::(?:connection\([^()\n]*\)->)?create\(\s*["'](\w+)|\bprotected \$table *= *["'](\w+)`, "Schema::", "protected $table"),
	"JavaScript": scriptTables,
	"TypeScript": scriptTables,
	"Kotlin":     formOf(`\bobject +\w+ *: *\w*Table\("(\w+)"|@Entity\(\s*tableName *= *"(\w+)"`, `Table("`, "@Entity("),
	"C#":         formOf(`\.ToTable\(\s*(?:name: *)?"(\w+)"|\[Table\("(\w+)"|\bCreateTable\(\s*name: *"(\w+)"`, ".ToTable(", "[Table(", "CreateTable("),
	"Rust":       formOf(`\btable! *\{\s*(?:use [^;]*;\s*)*(\w+(?:\.\w+)?) *\(`, "table!"),
	"Go":         formOf(`\) TableName\(\) string *\{\s*return "(\w[\w.]*)"`, "TableName()"),
	"Prisma":     formOf(`\bmodel +(\w+) +\{`, "model"),
}

// annotated is how a comment of PHP says which table the class below it stands for; an attribute begins as a comment does.
var annotated = formOf(`\bORM\\Table\( *name *[:=] *["'](\w+)`, `ORM\Table(`)

var scriptTables = formOf("\\bcreateTable\\(\\s*[\"'`](\\w+)|\\b(?:pg|mysql|sqlite)Table\\(\\s*[\"'`](\\w+)|@Entity\\(\\s*(?:\\{\\s*name: *)?[\"'`](\\w+)|\\bsequelize\\.define\\(\\s*[\"'`](\\w+)",
	"createTable(", "gTable(", "lTable(", "eTable(", "@Entity(", "sequelize.define(")

func formOf(names string, hints ...string) nameForm {
	f := nameForm{names: lazyregexp.New(names)}
	for _, h := range hints {
		f.hints = append(f.hints, []byte(h))
	}
	return f
}

// tablesOf returns the tables that a text makes or names, in its order by kind. A table of SQL may stand in a string.
func (l *Language) tablesOf(b []byte, held *pairs, partsOf func() []byte) (list []NameLine) {
	add := func(names *lazyregexp.Regexp, hints [][]byte, in func(part byte) bool) {
		if !held.anyOf(b, hints) {
			return
		}
		lines := &lineCounter{text: b}
		for _, m := range near(names, b, hints) {
			if in(partsOf()[m[0]]) {
				list = append(list, NameLine{submatch(b, m), lines.at(m[0])})
			}
		}
	}
	inProgram := func(part byte) bool { return part == inCode }
	add(createsTable, tableHints, func(part byte) bool { return part == inString || l.Name == "SQL" && part != inComment })
	add(mapsTable, mapHints, inProgram)
	if form, ok := tableForms[l.Name]; ok {
		add(form.names, form.hints, inProgram)
	}
	if l.Name == "PHP" {
		add(annotated.names, annotated.hints, func(part byte) bool { return part == inComment })
	}
	return list
}

var (
	// dropsTable is how SQL takes a table away, or gives it another name: groups 1, or 2 and 3.
	dropsTable = lazyregexp.New("(?i)\\bDROP\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?[`\"\\[]?([A-Za-z_][\\w.]*)" +
		"|\\bALTER\\s+TABLE\\s+[`\"\\[]?([A-Za-z_][\\w.]*)[`\"\\]]?\\s+RENAME\\s+TO\\s+[`\"\\[]?([A-Za-z_][\\w.]*)")
	dropHints = [][]byte{[]byte("DROP TABLE"), []byte("drop table"), []byte("ALTER TABLE"), []byte("alter table")}
	// takesBack is the remark behind which a step of a schema says how it is taken back.
	takesBack = lazyregexp.New(`(?im)^--.*\b(?:down|rollback|undo)\b.*$`)
)

// renameTables notes the tables that a text of SQL drops, and gives those that it renames their new names.
func (s *Surface) renameTables(b []byte, partsOf func() []byte) {
	end := len(b)
	if m := takesBack.FindAllSubmatchIndex(b, 1); m != nil {
		end = m[0][0]
	}
	lines, renamed := &lineCounter{text: b}, false
	for _, m := range near(dropsTable, b[:end], dropHints) {
		if partsOf()[m[0]] == inComment {
			continue
		}
		at := lines.at(m[0])
		s.Dropped = append(s.Dropped, NameLine{submatch(b, m[:6]), at})
		if m[6] >= 0 {
			s.Tables, renamed = append(s.Tables, NameLine{string(b[m[6]:m[7]]), at}), true
		}
	}
	if renamed {
		slices.SortStableFunc(s.Tables, func(a, b NameLine) int { return a.Line - b.Line })
	}
}

// isSchema reports whether a file of this name may hold all tables of a database, which a program keeps up to date there: db/schema.rb,
// structure.sql, Entity Framework's snapshot.
func isSchema(name string) bool {
	stem, _, _ := strings.Cut(path.Base(name), ".")
	return schemas[stem] || strings.HasSuffix(stem, "ModelSnapshot")
}

var schemas = language.WordSet("schema structure")
