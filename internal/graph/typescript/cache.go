package typescript

// cache keeps what was parsed between runs.
type cache struct{}

func openCache(string) *cache            { return &cache{} }
func (c *cache) save(ms *modules)        {}
func (m *module) cached(sum string) bool { return false }
