package action

// Unresolved is an import that leads nowhere, and who imports it.
type Unresolved struct {
	Specifier string   `json:"specifier"`
	Importers []string `json:"importers"`
}

// PackInfo is seed 003's context_pack_info.
type PackInfo struct{}
