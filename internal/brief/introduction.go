package brief

// Introduction returns what the repository is and how it is laid out, as the first chapters of its document, within its tokens.
func (r *Repository) Introduction() []Chapter {
	w := &shelves{Repository: r, order: r.byStanding(r.nearness())}
	w.budget = r.Tokens
	if r.Tokens == 0 {
		w.budget = introductionTokens
	}
	w.rest = w.budget
	w.introduce()
	w.layout()
	return w.chapters
}

// introductionTokens stands for the budget in an introduction's share where there is no limit.
const introductionTokens = 32_000
