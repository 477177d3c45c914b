// Package gitleakspeer runs gitleaks' own detector beside internal/secret and
// compares what they find, rule by rule. It is a module of its own, so that the
// detector's dependencies stay out of the program's. Run it with
//
//	cd internal/secret/gitleakspeer && go test .
package gitleakspeer
