// Package review says what those who review a change want to know first, each of it
// found in the two states of the repository and in nothing else:
//
//   - how large the change is, without what programs write, what only moved and what only
//     white space changes (Size), and of what kind it is (Kind);
//   - in which order its files are read: groups of what belongs together, what is used before
//     who uses it, tests behind what they test, what programs write last (Group);
//   - what it changes for others: exported definitions that came, went, or have another
//     signature, with who uses them outside of the change (Definition);
//   - which changed functions no test reaches by name, and which tests reach the others
//     (Reach);
//   - which dependencies changed, from what to what (Dependency);
//   - where in it credentials were found, by rule and line, never the value (Place).
//
// What is not known is counted and said, never guessed: a language without definitions, or
// without imports, makes no claim. Names and signatures are of screened texts. Work is
// bounded by the limits of this package, each with its reason; a limit that is reached is a
// number of the result too. Nothing here reads a clock, or depends on the order of a map.
package review
