// Package record is record.json: what left, what did not, and why, as a type, as it is
// written, as it is read again where somebody else may have made it, and as numbers.
// It knows the names of the files that a run writes. It decides nothing that it tells, and
// holds no value of a credential.
package record
