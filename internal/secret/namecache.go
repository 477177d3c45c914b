package secret

import (
	"bytes"

	"github.com/haversack-dev/haversack/internal/secret/value"
)

// nameCache keeps what the names tell that were read last: a text says the same few over and over, and to read one takes longer than to
// find it here.
type nameCache [256]cachedName

type cachedName struct {
	text   [40]byte // what is longer is not kept
	length uint8
	naming value.Naming
	asked  bool // whether it was drawn by lot
	byLot  bool
}

// of returns where what a name tells is kept; nil where the name is too long.
func (c *nameCache) of(name []byte) *cachedName {
	if len(name) == 0 || len(name) > len(c[0].text) {
		return nil
	}
	hash := uint32(2166136261) // FNV-1a
	for _, b := range name {
		hash = (hash ^ uint32(b)) * 16777619
	}
	e := &c[(hash^hash>>16)%uint32(len(c))]
	if !bytes.Equal(e.text[:e.length], name) {
		*e = cachedName{naming: value.Classify(name)}
		e.length = uint8(copy(e.text[:], name))
	}
	return e
}

// classify is value.Classify.
func (c *nameCache) classify(name []byte) value.Naming {
	if e := c.of(name); e != nil {
		return e.naming
	}
	return value.Classify(name)
}

// byLot is byLotText.
func (c *nameCache) byLot(name []byte) bool {
	e := c.of(name)
	if e == nil {
		return byLotText(name)
	}
	if !e.asked {
		e.asked, e.byLot = true, byLotText(name)
	}
	return e.byLot
}
