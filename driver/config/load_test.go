// SPDX-License-Identifier: Apache-2.0

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/driver/config"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// head is the beginning of every valid file.
const head = "apiVersion: hostpath.topo.csi/v1alpha1\nkind: DriverConfiguration\n"

// write makes a file with the content.
func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoad(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  config.Configuration
	}{
		{
			name:  "one pool",
			given: "pools:\n- capacity: 10Gi\n",
			want:  config.Default(),
		},
		{
			name:  "a number of bytes",
			given: "pools:\n- capacity: 1073741824\n",
			want:  config.Configuration{Capacity: pool.Uniform(1 << 30)},
		},
		{
			name:  "a pool without room",
			given: "pools: [{capacity: 0}]",
			want:  config.Configuration{Capacity: pool.Uniform(0)},
		},
		{
			name: "pools in their order, by class and part of a segment",
			given: `pools:
- class: fast
  segment: {topology.hostpath.topo.csi/zone: Z2}
  capacity: 5Gi
- segment: {topology.hostpath.topo.csi/zone: Z2, topology.hostpath.topo.csi/region: R1}
  capacity: 1Gi
- segment: {topology.hostpath.topo.csi/zone: Z2}
  capacity: 2Gi
- capacity: 3Gi
- class: fast
  capacity: 4Gi
`,
			want: config.Configuration{Capacity: pool.Capacity{Pools: []pool.Pool{
				{Class: "fast", Matching: topology.Segment{topology.ZoneKey: "Z2"}, Bytes: 5 << 30},
				{Matching: topology.Segment{topology.ZoneKey: "Z2", topology.RegionKey: "R1"}, Bytes: 1 << 30},
				{Matching: topology.Segment{topology.ZoneKey: "Z2"}, Bytes: 2 << 30},
				{Bytes: 3 << 30},
				{Class: "fast", Bytes: 4 << 30},
			}}},
		},
		{
			name: "secrets of the controller and of the node",
			given: `pools: [{capacity: 10Gi}]
secrets:
  CreateVolume: {user: admin, password: 1234}
  NodePublishVolume: {token: "*"}
`,
			want: config.Configuration{Capacity: config.Default().Capacity, Secrets: config.Secrets{
				"CreateVolume":      {"user": "admin", "password": "1234"},
				"NodePublishVolume": {"token": "*"},
			}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := config.Load(write(t, head+test.given))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestLoadReadsTheExampleOfTheReadme checks that the example in the driver's README is a configuration with the described
// meaning.
func TestLoadReadsTheExampleOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(readme), "\n```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	want := config.Configuration{
		Capacity: pool.Capacity{Pools: []pool.Pool{
			{Class: "fast", Matching: topology.Segment{topology.ZoneKey: "Z2"}, Bytes: 5 << 30},
			{Bytes: 10 << 30},
		}},
		Secrets: config.Secrets{"CreateVolume": {"user": "admin", "password": "1234"}},
	}
	got, err := config.Load(write(t, example))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  []string // in the error, in addition to the name of the file
	}{
		{"nothing", "", []string{`apiVersion: Unsupported value: ""`, `kind: Unsupported value: ""`, "pools: Required"}},
		{"only comments", "# later\n", []string{"pools: Required"}},
		{"null", "null", []string{"apiVersion: Unsupported", "pools: Required"}},
		{"no YAML", head + "pools: [\n", []string{"line 3: "}},
		{"a list", "- a\n", []string{"cannot unmarshal array"}},
		{"two documents", head + "pools: [{capacity: 1}]\n---\n" + head, []string{"want a single document"}},
		{"another version", "apiVersion: v2\nkind: DriverConfiguration\npools: [{capacity: 1}]\n",
			[]string{`apiVersion: Unsupported value: "v2": supported values: "hostpath.topo.csi/v1alpha1"`}},
		{"another kind", "apiVersion: hostpath.topo.csi/v1alpha1\nkind: ConfigMap\npools: [{capacity: 1}]\n",
			[]string{`kind: Unsupported value: "ConfigMap": supported values: "DriverConfiguration"`}},
		{"a field it does not know", head + "pool:\n- capacity: 1\n",
			[]string{"want apiVersion, kind, pools", `unknown field "pool"`}},
		{"a field that a pool does not have", head + "pools:\n- capacity: 1\n  zone: Z2\n",
			[]string{"(class, segment, capacity)", `unknown field "zone"`}},
		{"no pools", head, []string{"pools: Required value: want at least one"}},
		{"an empty list of pools", head + "pools: []\n", []string{"pools: Required"}},
		{"a pool without capacity", head + "pools:\n- class: fast\n", []string{`pools[0].capacity: Invalid value: "": want a quantity`}},
		{"capacity that is no quantity", head + "pools:\n- class: fast\n  capacity: much\n", []string{`pools[0].capacity: Invalid value: "much": want a quantity`}},
		{"capacity below nothing", head + "pools:\n- capacity: 1\n  class: a\n- capacity: -1\n", []string{`pools[1].capacity: Invalid value: "-1"`}},
		{"capacity beyond an int64", head + "pools:\n- capacity: 8Ei\n", []string{`pools[0].capacity: Invalid value: "8Ei"`}},
		{"a misspelt key", head + "pools:\n- capacity: 1\n  segment: {topology.hostpath.topo.csi/zones: Z2}\n",
			[]string{`pools[0].segment[topology.hostpath.topo.csi/zones]: Invalid value: "Z2": want a value for one of the keys`, "topology.hostpath.topo.csi/zone,"}},
		{"a key without a value", head + "pools:\n- capacity: 1\n  segment: {topology.hostpath.topo.csi/zone: }\n", []string{`pools[0].segment[topology.hostpath.topo.csi/zone]: Invalid value`}},
		{"the same pool twice", head + "pools:\n- capacity: 1\n- capacity: 2\n", []string{"pools[1]: Forbidden: it is never used: pools[0] of its class"}},
		{"the same pool twice, in other letters",
			head + "pools:\n- {capacity: 1, segment: {topology.hostpath.topo.csi/zone: Z2}}\n- {capacity: 1, segment: {topology.hostpath.topo.csi/ZONE: Z2}}\n",
			[]string{"pools[1]: Forbidden"}},
		{"a pool behind a wider one", head + "pools:\n- capacity: 1\n- capacity: 2\n  segment: {topology.hostpath.topo.csi/zone: Z2}\n",
			[]string{"pools[1]: Forbidden"}},
		{"pools from elsewhere", head + "<<: {pools: [{capacity: much}]}\n", []string{`pools[0].capacity: Invalid value: "much"`}},
		{"several problems", "kind: DriverConfiguration\npools: [{capacity: much}]\n", []string{"apiVersion: Unsupported", "pools[0].capacity"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, test.given)
			_, err := config.Load(path)
			if err == nil {
				t.Fatal("it was loaded")
			}
			for _, want := range append(test.want, path) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
		})
	}
}

func TestLoadRefusesSecretsWithoutTellingThem(t *testing.T) {
	for _, test := range []struct{ name, given, want string }{
		{"an RPC that there is not", "secrets:\n  MakeVolume: {password: xyzzy}\n", `secrets: Unsupported value: "MakeVolume": supported values: `},
		{"an RPC that carries none", "secrets:\n  ListVolumes: {password: xyzzy}\n", `secrets: Unsupported value: "ListVolumes"`},
		{"no keys", "secrets:\n  CreateVolume: xyzzy\n", "cannot unmarshal"},
		{"no RPC", "secrets: xyzzy\n", "cannot unmarshal"},
		{"a list of values", "secrets:\n  CreateVolume: {password: [xyzzy]}\n", "cannot unmarshal"},
		{"a value of another type", "secrets:\n  CreateVolume: {password: !!int xyzzy}\n", "want it in quotation marks"},
		{"nothing required", "secrets:\n  CreateVolume: {}\n", "secrets.CreateVolume: Required value: want at least one key"},
		{"an empty value", "secrets:\n  CreateVolume: {user: xyzzy, password: }\n", `secrets.CreateVolume[password]: Required`},
		{"an empty key", "secrets:\n  CreateVolume: {\"\": xyzzy}\n", `secrets.CreateVolume[]: Required`},
		{"a key twice", "secrets:\n  CreateVolume: {password: xyzzy, password: xyzzy}\n", "already set in map"},
		{"a value that begins as an alias", "secrets:\n  CreateVolume: {password: *xyzzy}\n", "want it in quotation marks"},
		{"a value that begins as a tag", "secrets:\n  CreateVolume:\n    password: !xyzzy\n", `secrets.CreateVolume[password]: Required`},
		{"a value that does not end", "secrets:\n  CreateVolume: {password: \"xyzzy}\n", "line "},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := config.Load(write(t, head+"pools: [{capacity: 1}]\n"+test.given))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			if strings.Contains(err.Error(), "xyzz") {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
}

func TestLoadOfNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if _, err := config.Load(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names %s", err, path)
	}
}
