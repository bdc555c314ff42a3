// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func TestKnownProfiles(t *testing.T) {
	names := KnownNames()
	for _, want := range []string{Reference, ReferenceNodeLocal} {
		if !slices.Contains(names, want) {
			t.Errorf("known profiles are %v, want %s among them", names, want)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if p, err := Load(name); err != nil || p.Cluster == nil || !p.Cluster.Install.Installs() {
				t.Errorf("got %+v, %v, want a profile that says how to install the driver", p, err)
			}
		})
	}
	if _, err := Load("nobodys-driver"); err == nil || !strings.Contains(err.Error(), Reference) {
		t.Errorf("a profile that does not exist: %v, want an error with the known ones", err)
	}
	if _, err := Load("./nobodys-driver.yaml"); err == nil || !strings.Contains(err.Error(), "reading the profile: open") {
		t.Errorf("a file that does not exist: %v", err)
	}
}

func TestBackend(t *testing.T) {
	text := "driver: csi.example.com\nvolumeBytes: 1048576\nvolumes: [{accessibleFrom: 1}]\nimplementation: {backend: {kind: fake, lacks: [%s]}}\n"
	p, err := Parse("my.yaml", []byte(fmt.Sprintf(text, "no-growth")))
	if err != nil || p.Implementation.Backend.Kind != "fake" || !slices.Equal(p.Implementation.Backend.Lacks, []string{"no-growth"}) {
		t.Errorf("got %+v, %v", p.Implementation, err)
	}
	if _, err := Parse("my.yaml", []byte(fmt.Sprintf(text, "no-luck"))); err == nil || !strings.Contains(err.Error(), "no-luck") || !strings.Contains(err.Error(), "my.yaml:4:") {
		t.Errorf("an unknown lack: %v, want an error that names it and its line", err)
	}
}

func TestReference(t *testing.T) {
	p, err := Known(Reference)
	if err != nil {
		t.Fatal(err)
	}
	if p.Driver != "hostpath.topo.csi" || p.VolumeBytes != 16<<20 || p.FileSystem() != 320<<20 {
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
timeouts: {provision: 10m, query: 90s}
waivers: [{requirement: PF-05, reason: The storage cannot.}]
`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Capacity.Exact() || p.Capacity.Untracked() || p.Secrets.CreateVolume["password"] != "a" || p.Waivers[0].Requirement != "PF-05" ||
		p.Timeouts != (Timeouts{Provision: 10 * time.Minute, Query: 90 * time.Second}) {
		t.Errorf("got %+v", p)
	}
}

func TestKinds(t *testing.T) {
	const driver = "driver: a\nvolumeBytes: 1\n"
	for _, c := range []struct {
		name, given string
		plain       AccessibleFrom
		numbers     []int
	}{
		{"no volumes", driver, 0, []int{1}},
		{"one and two", sound, 1, []int{1, 2}},
		{"everywhere", driver + "volumes: [{accessibleFrom: everywhere}]", Everywhere, []int{1}},
		{"as many as the answer says, and two", driver + "volumes: [{accessibleFrom: 2}, {parameters: {a: b}}]", 0, []int{1, 2}},
		{"one before everywhere", driver + "volumes: [{accessibleFrom: everywhere}, {accessibleFrom: 1, segments: [{zone: a}]}]", 1, []int{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p.yaml", []byte(c.given))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Plain().AccessibleFrom; got != c.plain || !slices.Equal(p.Numbers(), c.numbers) {
				t.Errorf("got %s and %v, want %s and %v", got, p.Numbers(), c.plain, c.numbers)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"a field it does not know", sound + "volumesBytes: 1\n", `p.yaml:7:1: unknown field "volumesBytes"`},
		{"a field that a kind does not know", "driver: a\nvolumeBytes: 1\nvolumes:\n- accessibleFrom: 1\n  parameter: {}\n", `p.yaml:5:3: unknown field "parameter"`},
		{"a word for a number", "driver: a\nvolumeBytes: many\n", "p.yaml:2:14: "},
		{"a key twice", sound + "driver: b\n", "p.yaml:7:1: "},
		{"no YAML", "driver: [a\n", "p.yaml:1: "},
		{"nothing", "", "p.yaml is empty"},
		{"no driver", "volumeBytes: 1\nvolumes: [{accessibleFrom: 1}]", "p.yaml:1:1: driver is missing"},
		{"a driver that is no domain name", strings.Replace(sound, "csi.example.com", "-a", 1), `p.yaml:1:9: driver is "-a"`},
		{"no size", "driver: a\nvolumes: [{accessibleFrom: 1}]", "volumeBytes is 0"},
		{"a negative size", strings.Replace(sound, "1048576", "-1", 1), "p.yaml:2:14: volumeBytes is -1"},
		{"growth to less", sound + "grownBytes: 5\n", "p.yaml:7:13: grownBytes is 5"},
		{"neither file systems nor devices", sound + "mount: false\n", "p.yaml:7:8: mount is false and block is not true"},
		{"a volume from nowhere", strings.Replace(sound, "accessibleFrom: 2", "accessibleFrom: 0", 1), "p.yaml:5:19: accessibleFrom is 0"},
		{"two kinds of one x", strings.Replace(sound, "accessibleFrom: 2", "accessibleFrom: 1", 1), "p.yaml:5:19: accessibleFrom: 1 occurs twice"},
		{"an access mode that does not exist", sound + "  accessMode: ReadWriteMany\n", "p.yaml:7:15: accessMode is ReadWriteMany: want one of SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY, MULTI_NODE_READER_ONLY, "},
		{"an unknown access mode", sound + "  accessMode: UNKNOWN\n", "p.yaml:7:15: accessMode is UNKNOWN"},
		{"an access mode by its number", sound + "  accessMode: 5\n", "p.yaml:7:15: accessMode is 5"},
		{"a volume from some word", strings.Replace(sound, "accessibleFrom: 2", "accessibleFrom: anywhere", 1), "p.yaml:5:19: accessibleFrom is anywhere"},
		{"two kinds from everywhere", sound + "- accessibleFrom: everywhere\n- accessibleFrom: everywhere\n", "p.yaml:8:19: accessibleFrom: everywhere occurs twice"},
		{"two kinds without a number", sound + "- {parameters: {a: b}}\n- {parameters: {a: c}}\n", "p.yaml:8:3: a kind without accessibleFrom occurs twice"},
		{"no volume that most cases can ask for", strings.Replace(sound, "- accessibleFrom: 1\n", "", 1), "p.yaml:4:1: volumes has no kind that most cases can use"},
		{"a kind in an empty segment", sound + "  segments: [{}]\n", "p.yaml:7:14: the segment is empty"},
		{"a kind in an unknown segment", sound + "  segments: [{zone: b}]\nsegments: [{zone: a}]\n", "p.yaml:7:14: the segment is not one of the profile's segments"},
		{"one topology that shares", "driver: a\nvolumeBytes: 1\nvolumes: [{accessibleFrom: 1, sharing: zone}]\n", "p.yaml:3:40: a kind with sharing has accessibleFrom: 1"},
		{"everywhere that shares", "driver: a\nvolumeBytes: 1\nvolumes: [{accessibleFrom: everywhere, sharing: zone}]\n", "p.yaml:3:49: a kind with sharing has accessibleFrom: everywhere"},
		{"sharing what no segment has", sound + "  sharing: region\nsegments: [{zone: a}]\n", `p.yaml:7:12: sharing is "region", which some segments do not have`},
		{"an empty segment", sound + "segments: [{a: b}, {}]\n", "p.yaml:7:20: the segment is empty"},
		{"a segment without a value", sound + "segments: [{a: ''}]\n", `the segment has "a": ""`},
		{"a word that capacity is not", sound + "capacity: some\n", `p.yaml:7:11: capacity is "some": want exact, at-least or untracked`},
		{"filling by less than nothing", sound + "fill: {volumes: -1}\n", "p.yaml:7:17: volumes is -1"},
		{"filling by less than no bytes", sound + "fill: {bytes: -1}\n", "p.yaml:7:15: bytes is -1"},
		{"a prefix of capital letters", sound + "namePrefix: PVC-\n", `p.yaml:7:13: namePrefix is "PVC-": want at most 11 lower-case letters`},
		{"a prefix that begins with a digit", sound + "namePrefix: 1-\n", `p.yaml:7:13: namePrefix is "1-"`},
		{"a long prefix", sound + "namePrefix: twelve-bytes\n", `p.yaml:7:13: namePrefix is "twelve-bytes"`},
		{"exhaustion for ever", sound + "exhaust: {command: [fill]}\n", "exhaust has only one of command and giveBack"},
		{"a restart by nothing", sound + "restart: ['']\n", "p.yaml:7:11: the program of restart is empty"},
		{"an empty node endpoint", sound + "endpoints: {nodes: ['']}\n", "the node endpoint is empty"},
		{"a relative root", sound + "directories: {root: a}\n", `p.yaml:7:21: root is "a"`},
		{"some commands", sound + "directories: {root: /a, make: [b]}\n", "some of make, remove and exists"},
		{"writing and no reading", sound + "directories: {root: /a, make: [b], remove: [b], exists: [b], write: [b]}\n", "some of write and read"},
		{"writing where there are no commands", sound + "directories: {root: /a, write: [b], read: [b]}\n", "some of write and read"},
		{"commands without a root", sound + "directories: {make: [a], remove: [b], exists: [c]}\n", "commands but no root"},
		{"a timeout without a unit", sound + "timeouts: {provision: 5}\n", `p.yaml:7:23: provision: "5" is not a duration: want a value such as 90s or 2m`},
		{"a timeout that is no duration", sound + "timeouts: {query: soon}\n", `"soon" is not a duration`},
		{"a negative timeout", sound + "timeouts: {settle: -1s}\n", "settle is -1s"},
		{"a timeout that it does not know", sound + "timeouts: {everything: 1s}\n", `unknown field "everything"`},
		{"two profiles without a line between them", sound + "...\n" + sound, "a second document begins"},
		{"a size with a unit", strings.Replace(sound, "volumeBytes: 1048576", "volumeBytes: 1Gi", 1), "volumeBytes is 1Gi: want a whole number"},
		{"a word for true", sound + "block: yes\n", "p.yaml:7:8: block is yes: want true or false"},
		{"too many bytes", sound + "grownBytes: 99999999999999999999\n", "p.yaml:7:13: grownBytes is 99999999999999999999, which is too large"},
		{"a word for a list", sound + "restart: kill\n", "p.yaml:7:10: restart is kill: want a list"},
		{"a number for fields", sound + "timeouts: 5\n", "p.yaml:7:11: timeouts is 5: want fields with values"},
		{"fields for a word", sound + "secrets: {createVolume: {a: {b: c}}}\n", "p.yaml:7:29: a is a mapping: want one word or text"},
		{"a tab", sound + "\tblock: true\n", "there is a tab"},
		{"a field misspelt", sound + "grownByte: 5\n", `p.yaml:7:1: unknown field "grownByte": did you mean grownBytes?`},
		{"a field below misspelt", sound + "timeouts: {provison: 5s}\n", `p.yaml:7:12: unknown field "provison": did you mean timeouts.provision?`},
		{"a field in the wrong place", sound + "controller: unix:///csi.sock\n", `p.yaml:7:1: unknown field "controller": did you mean endpoints.controller?`},
		{"a segment twice", sound + "segments: [{a: b, c: d}, {c: d, a: b}]\n", "p.yaml:7:26: the segment is the same as"},
		{"two profiles", sound + "---\n" + sound, "p.yaml:7:1: a second document begins"},
		{"a waiver of nothing", sound + "waivers: [{reason: a}]\n", "the waiver needs either requirement"},
		{"a waiver of two things", sound + "waivers: [{requirement: PF-05, case: T-EQ-1, reason: a}]\n", "the waiver needs either requirement"},
		{"a waiver for nothing", sound + "waivers: [{requirement: PF-05}]\n", "p.yaml:7:11: the waiver of \"PF-05\" has no reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse("p.yaml", []byte(c.given)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestAccessMode(t *testing.T) {
	p, err := Parse("p.yaml", []byte(sound+"  accessMode: MULTI_NODE_MULTI_WRITER\n"))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]csi.VolumeCapability_AccessMode_Mode{
		1: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
		2: csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER,
	} {
		if kind, _ := p.Kind(x); kind.Mode() != want {
			t.Errorf("volumes that are accessible from %d topologies have %s, want %s", x, kind.Mode(), want)
		}
	}
}

func TestAProfileMayBeginAsADocumentDoes(t *testing.T) {
	for _, given := range []string{"---\n" + sound, "# a driver\n---\n" + sound, sound + "---\n", sound + "...\n"} {
		if _, err := Parse("p.yaml", []byte(given)); err != nil {
			t.Errorf("%q: %v", given, err)
		}
	}
}

func TestParseSaysAllThatIsWrong(t *testing.T) {
	_, err := Parse("p.yaml", []byte("volumes: []\n"))
	for _, want := range []string{"driver is missing", "volumeBytes is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse = %v, want an error with %q", err, want)
		}
	}
}

func TestParseSaysAllThatIsNotOfTheForm(t *testing.T) {
	_, err := Parse("p.yaml", []byte("volumeByte: 5\nblock: yes\nvolumes: [5, {accessibleFrom: none}]\ntimeouts: {query: 5, settle: soon}\n"))
	want := []string{"p.yaml:1:1: unknown field", "p.yaml:2:8: block is yes", "p.yaml:3:11: an entry is 5", "p.yaml:3:31: accessibleFrom is none", `p.yaml:4:19: query: "5" is`, `p.yaml:4:30: settle: "soon" is`}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) {
		t.Fatalf("want %d lines, got:\n%v", len(want), err)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("line %d is %q, want %q", i+1, line, want[i])
		}
	}
}

func TestTimeoutsScaled(t *testing.T) {
	given := Timeouts{1, 2, 3, 4, 5, 6, 7, 8}
	if got, want := given.Scaled(2), (Timeouts{2, 4, 6, 8, 10, 12, 14, 16}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := given.Scaled(1); got != given {
		t.Errorf("got %+v, want %+v", got, given)
	}
}

func TestTimeoutsOr(t *testing.T) {
	given := Timeouts{Provision: time.Hour}.Or(DefaultTimeouts())
	want := DefaultTimeouts()
	want.Provision = time.Hour
	if given != want {
		t.Errorf("got %+v, want %+v", given, want)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"no prefix", "", "csi-topo-abcd1234"},
		{"a prefix", "pvc-", "pvc-abcd1234"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (Profile{NamePrefix: c.given}).Names("abcd1234"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
