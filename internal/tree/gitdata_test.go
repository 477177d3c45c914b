package tree

import "testing"

func TestReadsAsGit(t *testing.T) {
	for _, name := range []string{".GIT", ".Git", ".git.", ".git ", ".git. .", "git~1", "GIT~1", "git~1 ", ".git::$INDEX_ALLOCATION", ".git\\x", ".g\u200cit", "\ufeff.git", ".git\u206f", ".GI\u202eT"} {
		if !ReadsAsGit(name) {
			t.Errorf("%q is not taken for .git", name)
		}
	}
	for _, name := range []string{".git", "", ".", ".gi", "git", ".gitignore", ".github", ".gitmodules", "git~2", "git~10", "a.git", ".git-x", "\x0egit", ".g\u00edt", ".git\xff", "\u200c"} {
		if ReadsAsGit(name) {
			t.Errorf("%q is taken for .git", name)
		}
	}
}
