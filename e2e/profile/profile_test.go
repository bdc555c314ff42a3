package profile

import (
	"maps"
	"strings"
	"testing"
)

func TestHostpathTopo(t *testing.T) {
	p, err := HostpathTopo()
	if err != nil {
		t.Fatal(err)
	}
	if p.Driver != "hostpath.topo.csi" || p.VolumeBytes != 16<<20 {
		t.Errorf("got %+v", p)
	}
	for _, c := range []struct {
		x    int
		want map[string]string
		ok   bool
	}{
		{1, nil, true},
		{2, map[string]string{"zones": "2"}, true},
		{3, nil, false},
	} {
		if got, ok := p.Parameters(c.x); ok != c.ok || !maps.Equal(got, c.want) {
			t.Errorf("Parameters(%d) = %v, %v, want %v, %v", c.x, got, ok, c.want, c.ok)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"a field it does not know", "driver: a\nvolumesBytes: 1\n", "line 2: field volumesBytes not found"},
		{"nothing", "", "EOF"},
		{"no driver", "volumeBytes: 1\nvolumes: [{accessibleFrom: 1}]", "driver is missing"},
		{"no size", "driver: a\nvolumes: [{accessibleFrom: 1}]", "volumeBytes is 0"},
		{"no volumes", "driver: a\nvolumeBytes: 1", "volumes is empty"},
		{"a volume from nowhere", "driver: a\nvolumeBytes: 1\nvolumes: [{accessibleFrom: 0}]", "accessibleFrom is 0"},
		{"two kinds of one x", "driver: a\nvolumeBytes: 1\nvolumes: [{accessibleFrom: 1}, {accessibleFrom: 1}]", "occurs twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.given)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
}
