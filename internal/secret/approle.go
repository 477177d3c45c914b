package secret

// readAppRole finds the two halves of a login of Vault's by AppRole: secret_id, which is a UUID, and role_id where that or the method
// is spoken of near by. Others' ids of roles are no secrets, and what Secrets Manager calls a secret's id is no UUID.
func readAppRole(r *run, start, end int) {
	text := r.text
	if next := byteAt(text, end); isWord(next) || next == '-' {
		return // secret_id_accessor
	}
	at := past(text, end, 6, quotes+`\])`)
	at = past(text, at, 24, spaces+":=>,|")
	at = past(text, at, 3, quotes+`\`)
	const uuid = 36
	if at == end || at+uuid > len(text) || !isUUID(text[at:at+uuid]) || isWord(byteAt(text, at+uuid)) || shapeOf(text[at:at+uuid]).distinct < 8 {
		return
	}
	if text[start]|0x20 == 'r' {
		lo, hi := max(0, start-appRoleNear), min(len(text), at+uuid+appRoleNear)
		r.spend(8 * (hi - lo))
		if !hasFold(text[lo:hi], "secret_id", "secret-id", "secretid", "approle") {
			return
		}
	}
	r.add("vault-approle-id", at, at+uuid, rankNamed)
}

// appRoleNear is how far from role_id is looked for what makes it one of Vault's, in bytes.
const appRoleNear = 400
