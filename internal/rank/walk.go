package rank

import (
	"runtime"
	"slices"
	"sync"
)

const (
	// steps of the walk; half of the mass restarts at each.
	steps = 24
	// maxDefiners is in how many files a name may be defined to say anything.
	maxDefiners = 3
	// mass is the whole mass of the walk.
	mass = 1 << 44
)

// link is a name that ties files together: those that define it and those that
// use it. It pulls on each pair of them with its weight.
type link struct {
	name              uint32
	family            family
	weight            uint64
	definers, members []int32 // members: first the definers, then the users
}

// key keeps names of unlike languages apart.
func linkKey(f family, name uint32) uint64 { return uint64(f)<<32 | uint64(name) }

// tie finds the links between files.
func tie(texts []fileTerms, families []family) []link {
	definers := map[uint64]int32{} // number of the name's link
	var links []link
	for i := range texts {
		for _, name := range texts[i].defined {
			k := linkKey(families[i], name)
			at, ok := definers[k]
			if !ok {
				at = int32(len(links))
				definers[k] = at
				links = append(links, link{name: name, family: families[i]})
			}
			if l := &links[at]; len(l.definers) <= maxDefiners {
				l.definers = append(l.definers, int32(i))
			}
		}
	}
	users := make([]int32, len(links))
	each := func(i int, do func(at int32)) {
		t := &texts[i]
		if len(t.names) == 0 {
			return
		}
		own := t.defined
		for _, name := range t.names {
			for len(own) > 0 && own[0] < name {
				own = own[1:]
			}
			if len(own) > 0 && own[0] == name {
				continue
			}
			if at, ok := definers[linkKey(families[i], name)]; ok && len(links[at].definers) <= maxDefiners {
				do(at)
			}
		}
	}
	for i := range texts {
		each(i, func(at int32) { users[at]++ })
	}
	// A name that a fifth of the files use is part of the language of the place.
	most := int32(max(20, len(texts)/5))
	total := 0
	for at := range links {
		if n := users[at]; n > 0 && n <= most && len(links[at].definers) <= maxDefiners {
			total += len(links[at].definers) + int(n)
		}
	}
	room := make([]int32, 0, total)
	for at := range links {
		l := &links[at]
		n := users[at]
		if n == 0 || n > most || len(l.definers) > maxDefiners {
			l.definers = nil
			continue
		}
		start := len(room)
		room = append(room, l.definers...)
		l.definers = room[start:len(room):len(room)]
		l.members = room[start : len(room) : len(room)+int(n)]
		room = room[:len(room)+int(n)]
		l.weight = lnRatio(uint64(n)+uint64(len(texts)), uint64(n)) / uint64(len(l.definers))
	}
	for i := range texts {
		each(i, func(at int32) {
			if l := &links[at]; l.definers != nil {
				l.members = append(l.members, int32(i))
			}
		})
	}
	return slices.DeleteFunc(links, func(l link) bool { return l.definers == nil })
}

// mention carries the walk a last step further, to documents: each gets of the
// definers of the names that it holds. Documents are only reached, never walked
// through, for one that names everything would tie everything together. They
// get half of what a user of the name gets: with all of it, more documents are
// found (52 of 179 that real commits touched, of 47; without any, 32), and less
// code.
func mention(links []link, texts []fileTerms, families []family, at []uint64) {
	byName := map[uint32][]int32{}
	for i := range links {
		byName[links[i].name] = append(byName[links[i].name], int32(i))
	}
	degree := degrees(links, len(texts))
	for i := range texts {
		if families[i] != prose {
			continue
		}
		var sum uint64
		for _, name := range texts[i].names {
			for _, k := range byName[name] {
				l := &links[k]
				for _, d := range l.definers {
					sum += l.weight * (at[d] << 16 / degree[d]) >> 16
				}
			}
		}
		at[i] += sum / 4
	}
}

// walk returns where a walk along the links is found that ever again starts at
// the given files.
func walk(links []link, n int, starts []int32) []uint64 {
	restart := make([]uint64, n)
	for _, s := range starts {
		restart[s] = uint64(mass/2) / uint64(len(starts))
	}
	return walkFrom(links, restart)
}

// walkFrom is walk where each file has a mass of its own that starts there again with every step.
func walkFrom(links []link, restart []uint64) []uint64 {
	n := len(restart)
	at := make([]uint64, n)
	if len(links) == 0 {
		return at
	}
	degree := degrees(links, n)
	for s := range at {
		at[s] = 2 * restart[s]
	}
	flow := make([]uint64, n)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(links)/4096))
	sums := make([][]uint64, workers)
	for w := range sums {
		sums[w] = make([]uint64, n)
	}
	for range steps {
		for i := range at {
			flow[i] = 0
			if degree[i] > 0 {
				flow[i] = at[i] << 16 / degree[i]
			}
		}
		var wait sync.WaitGroup
		for w := range workers {
			wait.Go(func() {
				sum := sums[w]
				clear(sum)
				for i := len(links) * w / workers; i < len(links)*(w+1)/workers; i++ {
					l := &links[i]
					var fromDefiners, fromUsers uint64
					for j, m := range l.members {
						if j < len(l.definers) {
							fromDefiners += flow[m]
						} else {
							fromUsers += flow[m]
						}
					}
					if fromDefiners|fromUsers == 0 {
						continue
					}
					toUsers, toDefiners := l.weight*fromDefiners>>16, l.weight*fromUsers>>16
					for j, m := range l.members {
						if j < len(l.definers) {
							sum[m] += toDefiners
						} else {
							sum[m] += toUsers
						}
					}
				}
			})
		}
		wait.Wait()
		for i := range at {
			at[i] = 0
			for w := range sums {
				at[i] += sums[w][i]
			}
			at[i] = at[i]/2 + restart[i]
		}
	}
	return at
}

func degrees(links []link, n int) []uint64 {
	degree := make([]uint64, n)
	for i := range links {
		l := &links[i]
		d, u := uint64(len(l.definers)), uint64(len(l.members)-len(l.definers))
		for j, m := range l.members {
			if j < len(l.definers) {
				degree[m] += l.weight * u
			} else {
				degree[m] += l.weight * d
			}
		}
	}
	return degree
}
