package csharp

import (
	"strings"

	"github.com/haversack-dev/haversack/internal/graph/names"
)

// common are names of methods that values of .NET's own types have, or that its LINQ gives them: what is called so need not be the
// repository's.
var common = func() map[string]bool {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(`Add AddRange Aggregate All AllAsync Any AnyAsync Append AppendFormat AppendLine AsEnumerable AsMemory AsParallel
		AsQueryable AsSpan AsTask Average BeginInvoke BinarySearch Build Cast Chunk Clear Clone Close CompareTo Concat Configure ConfigureAwait Contains
		ContainsKey ContainsValue ContinueWith ConvertAll Copy CopyTo CopyToAsync Count CountAsync Create CreateInstance DefaultIfEmpty
		Delete Dequeue Dispose DisposeAsync Distinct DistinctBy ElementAt EndInvoke EndsWith Enqueue Ensure Equals Except ExceptBy Execute ExecuteAsync
		Exists Fill Find FindAll FindIndex FindLast First FirstAsync FirstOrDefault FirstOrDefaultAsync Flush FlushAsync ForEach Format GetAsync
		GetAttribute GetAwaiter GetBytes GetConstructor GetConstructors GetCustomAttribute GetCustomAttributes GetEnumerator GetField
		GetFields GetHashCode GetMember GetMembers GetMethod GetMethods GetOrAdd GetProperties GetProperty GetRange GetService GetString
		GetType GetValue GetValueOrDefault GroupBy GroupJoin Include IndexOf IndexOfAny Insert InsertRange Intersect Invoke InvokeAsync
		IsAssignableFrom IsDefined IsMatch IsSubclassOf Join Last LastIndexOf LastOrDefault LongCount Match Matches Max MaxBy Min MinBy
		MoveNext Normalize OfType Open Order OrderBy OrderByDescending Parse Peek Pop PostAsync Prepend Push Range Read ReadAsync ReadByte
		ReadLine ReadToEnd ReadToEndAsync Register Remove RemoveAll RemoveAt RemoveRange Repeat Replace Reset Reverse Save Seek Select
		SelectMany Send SendAsync SequenceEqual Set SetValue Single SingleOrDefault Skip SkipLast SkipWhile Slice Sort Split Start StartsWith
		Stop Substring Sum Take TakeLast TakeWhile ThenBy ThenByDescending ToArray ToArrayAsync ToCharArray ToDictionary ToHashSet
		ToList ToListAsync ToLookup ToLower ToLowerInvariant ToString ToUpper ToUpperInvariant Trim TrimEnd TrimStart TryAdd TryDequeue
		TryGetValue TryParse TryPeek TryPop TryRemove Union UnionBy Update Wait WaitAsync Where WithCancellation Write WriteAsync WriteByte
		WriteLine WriteLineAsync Zip`) {
		known[name] = true
	}
	return known
}()

// extensions gathers the methods that extend a type and are called as no type's own are.
func (b *builder) extensions() {
	b.extends = map[string][]names.Place{}
	for i, f := range b.files {
		if f == nil {
			continue
		}
		for name, typ := range f.extends {
			if !common[name] {
				b.extends[name] = append(b.extends[name], names.Place{File: int32(i), Type: typ})
			}
		}
	}
	for _, f := range b.files {
		if f == nil {
			continue
		}
		for name := range f.members {
			if _, extends := f.extends[name]; !extends {
				delete(b.extends, name)
			}
		}
	}
}

// extending returns which type a method that is called belongs to: the only one that declares it among those whose namespaces are in
// sight.
func (b *builder) extending(f *file, c call, list []names.Place) (kept []names.Place) {
	for _, p := range list {
		if b.sees(f, p) && b.inSight(f, c.space, b.typeOf(p)) {
			kept = append(kept, p)
		}
	}
	for _, p := range kept {
		if t, first := b.typeOf(p), b.typeOf(kept[0]); t.Space != first.Space || t.Name != first.Name {
			return nil
		}
	}
	return kept
}

// inSight reports whether the methods of a type are known in a namespace of a file.
func (b *builder) inSight(f *file, space int32, t *names.Type) bool {
	gives := func(list []using) bool {
		for i := range list {
			u := &list[i]
			if !u.static && u.as == "" && u.space == t.Space {
				return true
			}
			for _, p := range u.places {
				if o := b.typeOf(p); u.static && o.Space == t.Space && o.Name == t.Name {
					return true
				}
			}
		}
		return false
	}
	found := gives(b.globals[f.project])
	for s := space; s >= 0 && !found; s = f.spaces[s].outer {
		within(f.spaces[s].name, "", func(name string) bool {
			found = found || name == t.Space
			return !found
		})
		found = found || t.Space == "" || gives(f.spaces[s].usings)
	}
	return found
}
