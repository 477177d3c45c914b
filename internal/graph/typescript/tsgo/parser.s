// Functions of parser.go have no bodies: what they link to is elsewhere.
