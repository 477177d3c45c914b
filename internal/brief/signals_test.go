package brief

import "testing"

// Of a class of C++ stands first what those built on it have to define, and last what it only tells of itself.
func TestSignals(t *testing.T) {
	files := map[string]string{"src/Quay.h": "class Quay : public QObject\n{\npublic:\n    virtual bool haul(int boats) = 0;\n    bool open() const;\n\nsignals:\n    void left(int boat);\n    void moored(int boat);\n\npublic slots:\n    void close();\n};\n"}
	w := described(files, 0, 0).newShelves()
	place := map[string]int{}
	for n, o := range w.offers(w.open([]int{0}), 0) {
		place[o.shelf.lines[o.line].bare()] = n
	}
	haul, open, closes, left := place["virtual bool haul(int boats) = 0;"], place["bool open() const;"], place["void close();"], place["void moored(int boat);"]
	if len(place) != 6 || haul > open || haul > closes || open > left || closes > left {
		t.Errorf("offered in the order of %v", place)
	}
	if signals := signalsOf("src/quay.go", []string{"signals:", "\tgo left()"}); signals != nil {
		t.Errorf("signals of Go: %v", signals)
	}
}
