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

const sound = `driver: csi.example.com
volumeBytes: 1048576
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {replicas: "2"}
`

func TestParse(t *testing.T) {
	p, err := Parse("p.yaml", []byte(sound+`
segments: [{zone: a}]
endpoints: {controller: "unix:///c.sock", nodes: ["unix:///n.sock"]}
capacity: at-least
exhaust: {command: [fill], giveBack: [free]}
directories: {root: /csi, make: [mkdir, -p], remove: [rmdir], exists: [there]}
secrets: {createVolume: {password: a}}
waivers: [{requirement: PF-05, reason: The storage cannot.}]
`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Capacity.Exact() || p.Capacity.Untracked() || p.Secrets.CreateVolume["password"] != "a" || p.Waivers[0].Requirement != "PF-05" {
		t.Errorf("got %+v", p)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"a field it does not know", sound + "volumesBytes: 1\n", `p.yaml:7:1: unknown field "volumesBytes"`},
		{"a field that a kind does not know", "driver: a\nvolumeBytes: 1\nvolumes:\n- accessibleFrom: 1\n  parameter: {}\n", `p.yaml:5:3: unknown field "parameter"`},
		{"a word for a number", "driver: a\nvolumeBytes: many\n", "p.yaml:2:14: "},
		{"a key twice", sound + "driver: b\n", "p.yaml:7:1: "},
		{"no YAML", "driver: [a\n", "p.yaml:1:9: "},
		{"nothing", "", "p.yaml is empty"},
		{"no driver", "volumeBytes: 1\nvolumes: [{accessibleFrom: 1}]", "p.yaml:1:1: driver is missing"},
		{"a driver that is no domain name", strings.Replace(sound, "csi.example.com", "-a", 1), `p.yaml:1:9: driver is "-a"`},
		{"no size", "driver: a\nvolumes: [{accessibleFrom: 1}]", "volumeBytes is 0"},
		{"a negative size", strings.Replace(sound, "1048576", "-1", 1), "p.yaml:2:14: volumeBytes is -1"},
		{"growth to less", sound + "grownBytes: 5\n", "p.yaml:7:13: grownBytes is 5"},
		{"no volumes", "driver: a\nvolumeBytes: 1", "volumes is empty"},
		{"a volume from nowhere", strings.Replace(sound, "accessibleFrom: 2", "accessibleFrom: 0", 1), "p.yaml:5:19: accessibleFrom is 0"},
		{"two kinds of one x", strings.Replace(sound, "accessibleFrom: 2", "accessibleFrom: 1", 1), "p.yaml:5:19: accessibleFrom: 1 occurs twice"},
		{"no volume of one topology", strings.Replace(sound, "- accessibleFrom: 1\n", "", 1), "p.yaml:4:1: volumes has no kind with accessibleFrom: 1"},
		{"an empty segment", sound + "segments: [{a: b}, {}]\n", "p.yaml:7:20: the segment is empty"},
		{"a segment without a value", sound + "segments: [{a: ''}]\n", `the segment has "a": ""`},
		{"a word that capacity is not", sound + "capacity: some\n", `p.yaml:7:11: capacity is "some": want exact, at-least or untracked`},
		{"exhaustion for ever", sound + "exhaust: {command: [fill]}\n", "exhaust has one of command and giveBack"},
		{"an empty node endpoint", sound + "endpoints: {nodes: ['']}\n", "the node endpoint is empty"},
		{"a relative root", sound + "directories: {root: a}\n", `p.yaml:7:21: root is "a"`},
		{"some commands", sound + "directories: {root: /a, make: [b]}\n", "some of make, remove and exists"},
		{"commands without a root", sound + "directories: {make: [a], remove: [b], exists: [c]}\n", "commands and no root"},
		{"a waiver of nothing", sound + "waivers: [{reason: a}]\n", "the waiver names no requirement"},
		{"a waiver for nothing", sound + "waivers: [{requirement: PF-05}]\n", "p.yaml:7:11: the waiver of \"PF-05\" has no reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse("p.yaml", []byte(c.given)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestParseSaysAllThatIsWrong(t *testing.T) {
	_, err := Parse("p.yaml", []byte("volumes: []\n"))
	for _, want := range []string{"driver is missing", "volumeBytes is 0", "volumes is empty"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse = %v, want an error with %q", err, want)
		}
	}
}
