package secret

// Union returns the values of several sets as one, with the files that taught them.
// A value that two of them hold under different rules keeps the rule whose name comes
// first. The sets stay as they are; nil sets hold nothing.
func Union(sets ...*Known) *Known {
	u := new(Known)
	for _, k := range sets {
		if k != nil {
			u.take(k)
		}
	}
	return u
}

// take adds all that another set holds.
func (k *Known) take(from *Known) {
	from.mu.RLock()
	defer from.mu.RUnlock()
	if from.set == nil {
		return
	}
	other := from.set()
	k.change(func(s *knownSet) bool {
		for h := range other.ordinary {
			s.ordinary[h] = struct{}{}
		}
		for text, v := range other.values {
			if !v.given && !v.loose {
				continue // comes with its files
			}
			mine := s.put(v.rule, text)
			mine.given = mine.given || v.given
			if v.loose && !mine.loose {
				mine.loose = true
				s.loose++
			}
		}
		s.full = s.full || other.full || s.loose > maxKnown
		if other.limit > 0 && (s.limit == 0 || other.limit < s.limit) {
			s.limit = other.limit
		}
		for path := range other.over {
			s.leave(path)
		}
		for path, list := range other.files {
			if s.over[path] {
				continue
			}
			for _, v := range list {
				mine := s.put(v.rule, v.text)
				s.files[path] = append(s.files[path], mine)
				if mine.files++; mine.files == 1 {
					s.filed++
				}
			}
			s.settle(path)
		}
		return true
	})
}
