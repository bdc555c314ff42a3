package runner

import (
	"testing"

	"github.com/onsi/ginkgo/v2/types"
)

func TestLabelFilter(t *testing.T) {
	for _, c := range []struct {
		name   string
		given  Options
		labels []string
		want   bool
	}{
		{"nothing asked for", Options{}, []string{"case:a"}, true},
		{"a requirement that it has", Options{Requirements: []string{"TR-01", "TR-07"}}, []string{"case:a", "req:TR-07"}, true},
		{"a requirement that it has not", Options{Requirements: []string{"TR-07"}}, []string{"case:a", "req:TR-071"}, false},
		{"a case that it is", Options{Cases: []string{"T-EQ-1", "a"}}, []string{"case:a"}, true},
		{"a case whose name begins so", Options{Cases: []string{"T-EQ-1"}}, []string{"case:T-EQ-1F"}, false},
		{"label and requirement", Options{Label: "x || y", Requirements: []string{"TR-07"}}, []string{"y", "req:TR-07"}, true},
		{"label without requirement", Options{Label: "x || y", Requirements: []string{"TR-07"}}, []string{"y"}, false},
		{"requirement without label", Options{Label: "x || y", Requirements: []string{"TR-07"}}, []string{"req:TR-07"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			filter, err := types.ParseLabelFilter(c.given.labelFilter())
			if err != nil || filter(c.labels) != c.want {
				t.Errorf("%q on %q: %v, want %v", c.given.labelFilter(), c.labels, err, c.want)
			}
		})
	}
}
