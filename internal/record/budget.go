package record

// Budget says what a context archive costs.
type Budget struct {
	// LimitTokens is the budget, 0 without one. Tokens are counted where there is one,
	// by Tokenizer: those of the contents of all members.
	LimitTokens     int    `json:"limit_tokens"`
	Tokens          int    `json:"tokens,omitempty"`
	Tokenizer       string `json:"tokenizer,omitempty"`
	Files           int    `json:"files"`
	SizeBytes       int64  `json:"size_bytes"`
	EstimatedTokens int64  `json:"estimated_tokens"`
	Base            Share  `json:"base_only"`
	Closure         Share  `json:"closure_only"`
	Overlap         Share  `json:"overlap"`
	Changed         Share  `json:"changed"`
	Largest         []Size `json:"largest"`
	// Unlisted counts the files that the archive's map leaves out: the map is
	// large, and they need nothing and nothing needs them.
	Unlisted int `json:"unlisted_in_map"`
}

// Share is a part of a budget.
type Share struct {
	Files     int   `json:"files"`
	SizeBytes int64 `json:"size_bytes"`
}

// Size is a path and its bytes.
type Size struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
}

// MissingImport is an import that leads nowhere, and who imports it.
type MissingImport struct {
	Specifier string   `json:"specifier"`
	Importers []string `json:"importers"`
}
