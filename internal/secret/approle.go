package secret

import "github.com/haversack-dev/haversack/internal/secret/value"

// readAppRole finds the two halves of a login of Vault's by AppRole: secret_id, which is a UUID, and role_id where that or the method
// is spoken of near by. Others' ids of roles are no secrets, and what Secrets Manager calls a secret's id is no UUID.
func readAppRole(r *run, start, end int) {
	text := r.text
	if next := value.ByteAt(text, end); value.IsWord(next) || next == '-' {
		return // secret_id_accessor
	}
	at := value.Past(text, end, 6, value.Quotes+`\])`)
	at = value.Past(text, at, 24, value.Spaces+":=>,|")
	at = value.Past(text, at, 3, value.Quotes+`\`)
	const uuid = 36
	if at == end || at+uuid > len(text) || !value.IsUUID(text[at:at+uuid]) || value.IsWord(value.ByteAt(text, at+uuid)) || value.ShapeOf(text[at:at+uuid]).Distinct < 8 {
		return
	}
	if text[start]|0x20 == 'r' {
		lo, hi := max(0, start-appRoleNear), min(len(text), at+uuid+appRoleNear)
		r.spend(8 * (hi - lo))
		if !value.HasFold(text[lo:hi], "secret_id", "secret-id", "secretid", "approle") {
			return
		}
	}
	r.add("vault-approle-id", at, at+uuid, rankNamed)
}

// appRoleNear is how far from role_id is looked for what makes it one of Vault's, in bytes.
const appRoleNear = 400
