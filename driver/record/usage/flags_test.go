// SPDX-License-Identifier: Apache-2.0

package usage_test

import (
	"bytes"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record/usage"
)

func TestFlagsMatch(t *testing.T) {
	for _, test := range []struct {
		name       string
		kept, when []string
		want       bool
	}{
		{name: "none", want: true},
		{name: "none, given as an empty list", when: []string{}, want: true},
		{name: "the same", kept: []string{"noatime", "sync"}, when: []string{"noatime", "sync"}, want: true},
		{name: "in another order", kept: []string{"noatime", "sync"}, when: []string{"sync", "noatime"}},
		{name: "one less", kept: []string{"noatime", "sync"}, when: []string{"noatime"}},
		{name: "none any more", kept: []string{"noatime"}},
		{name: "an empty one more", kept: []string{"noatime"}, when: []string{"noatime", ""}},
		{name: "split elsewhere", kept: []string{"ab", "c"}, when: []string{"a", "bc"}},
		{name: "joined", kept: []string{"a", "b"}, when: []string{"a,b"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := usage.NewFlags(test.kept).Match(test.when); got != test.want {
				t.Errorf("%q match %q: %t, want %t", test.when, test.kept, got, test.want)
			}
		})
	}
}

func TestFlagsDoNotTellThatTwoAreEqual(t *testing.T) {
	a, b := usage.NewFlags([]string{"password=secret"}), usage.NewFlags([]string{"password=secret"})
	if bytes.Equal(a.Sum, b.Sum) || bytes.Equal(a.Salt, b.Salt) {
		t.Errorf("%v and %v are the same flags, and look so", a, b)
	}
}

func TestFlagsThatWereLostMatchNothing(t *testing.T) {
	if (usage.Flags{}).Match(nil) {
		t.Error("nothing matches flags of which nothing is known")
	}
}
