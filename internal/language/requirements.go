package language

import (
	"path"
	"strings"
)

// IsRequirements reports whether a path is that of a list of what pip installs: requirements.txt, requirements-dev.txt, and
// requirements/dev.txt. Case does not matter. A list of constraints is none: it holds versions back, and installs nothing.
func IsRequirements(name string) bool {
	base := strings.ToLower(path.Base(name))
	if !strings.HasSuffix(base, ".txt") || strings.HasPrefix(base, "constraints") {
		return false
	}
	return strings.HasPrefix(base, "requirements") || strings.EqualFold(path.Base(path.Dir(name)), "requirements")
}

// IsConstraints reports whether a path is that of a list of the versions that pip is held to. Case does not matter.
func IsConstraints(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.HasPrefix(base, "constraints") && strings.HasSuffix(base, ".txt")
}
