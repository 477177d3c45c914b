package rank

import (
	"cmp"
	"slices"
)

// FileFeature is one of the things by which it is told how much a file is needed as a whole.
type FileFeature uint8

// The features of a whole file: those that all its passages share (Row), and of its passages' needs the three largest in thousandths, and
// what is expected of all (logarithm); its place among the files by the largest of them, by what is expected, and in the order of files
// (logarithms); how many passages it has (logarithm), and the kind of the change.
const (
	needMost FileFeature = iota
	needSecond
	needThird
	needExpected
	turnMost
	turnExpected
	turnFile
	passageCount
	changeKind
	ownFeatures
	// FileFeatures is how many features a file has.
	FileFeatures = int(ownFeatures) + len(ofFiles)
)

var ownNames = [ownFeatures]string{"needMost", "needSecond", "needThird", "needExpected", "turnMost", "turnExpected", "turnFile", "passageCount", "changeKind"}

// String is the constant's name.
func (f FileFeature) String() string {
	switch {
	case f < ownFeatures:
		return ownNames[f]
	case int(f) < FileFeatures:
		return ofFiles[f-ownFeatures].String()
	}
	return "unknown"
}

// ofFiles are the features of passages that all passages of a file share.
var ofFiles = [...]Feature{fileText, fileImports, fileName, fileMirror, filePath, fileRare, fileSymbols, fileBytes, filePlace, fileKind, fileTests, fileNear,
	folderText, changeLines, ChangeCode, changeRare, changeFiles, allFiles}

// FileRow is what speaks for a whole file, by feature.
type FileRow [FileFeatures]int16

// WholeFile is a file whose passages are judged.
type WholeFile struct {
	Path  string
	Bytes int
	Rows  []Row
}

// FileRows returns what speaks for each of the files, those without passages included.
func (o *Order) FileRows(files []WholeFile) []FileRow {
	rows := make([]FileRow, len(files))
	place := make(map[string]int, len(o.Files))
	for i, f := range o.Files {
		place[f.Path] = i + 1
	}
	kind := int16(o.Kind())
	for i := range files {
		f, row := &files[i], &rows[i]
		most := [3]int64{leastNeed, leastNeed, leastNeed}
		expected := uint64(0)
		for n := range f.Rows {
			need := BlockNeed(&f.Rows[n])
			expected += uint64(chanceAt(chances[OfCode], need))
			for k := range most {
				if need > most[k] {
					most[k], need = need, most[k]
				}
			}
		}
		for k, f := range [...]FileFeature{needMost, needSecond, needThird} {
			row[f] = int16(max(leastNeed, min(most[k], -leastNeed)) / 1000)
		}
		row[needExpected], row[passageCount], row[changeKind] = logOf(expected), logOf(uint64(len(f.Rows))), kind
		row[turnFile] = logOf(uint64(place[f.Path]))
		if len(f.Rows) > 0 {
			for k, feature := range ofFiles {
				row[int(ownFeatures)+k] = f.Rows[0][feature]
			}
		}
	}
	for from, to := range map[FileFeature]FileFeature{needMost: turnMost, needExpected: turnExpected} {
		turns := make([]int, len(files))
		for i := range turns {
			turns[i] = i
		}
		slices.SortStableFunc(turns, func(a, b int) int {
			return cmp.Or(cmp.Compare(rows[b][from], rows[a][from]), cmp.Compare(files[a].Path, files[b].Path))
		})
		for n, i := range turns {
			rows[i][to] = logOf(uint64(n))
		}
	}
	return rows
}

// leastNeed is less than the need of nearly all passages.
const leastNeed = -20_000_000

// What speaks against taking a file whole: the logarithm of its bytes, in thousandths, and a hundredth part of that of its place in the order of
// files, in millionths.
const (
	lengthCost = 700
	placeCost  = 5_000
)

// WholeNeed returns how much a file is worth taking whole for its length, in millionths of log odds, by trees that bench/context fits
// (-whole; whole_table.go).
func WholeNeed(r *FileRow, bytes int) int64 {
	return wholeForest.Need(r[:]) + WholeCost(r, bytes)
}

// WholeCost is what speaks against that beside the trees, less than nothing.
func WholeCost(r *FileRow, bytes int) int64 {
	return -lengthCost*Log(300+max(0, bytes))/1000 - placeCost*int64(r[turnFile])
}
