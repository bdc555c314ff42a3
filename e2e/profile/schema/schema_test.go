// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/fixtures/profiles"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	generated, err := Reflect()
	if err != nil {
		t.Fatal(err)
	}
	fields, err := Read(generated)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		File: string(generated),
		filepath.Join("..", "..", "..", Document): Markdown(fields),
	} {
		found, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(found)); diff != "" {
			t.Errorf("%s is not what the code says: want make generate to be run (-want +got):\n%s", path, diff)
		}
	}
}

// valid checks YAML only by the schema, as an editor does.
func valid(t *testing.T, profile string) error {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(JSON()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(URL, schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(URL)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON([]byte(profile))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(value)
}

func TestKnownProfilesAreValid(t *testing.T) {
	for _, name := range profile.KnownNames() {
		t.Run(name, func(t *testing.T) {
			text, err := fs.ReadFile(profiles.FS(), name+".yaml")
			if err != nil {
				t.Fatal(err)
			}
			if err := valid(t, string(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

const sound = "driver: csi.example.com\nvolumeBytes: 1048576\n"

// TestSchemaRefuses checks profiles that Parse refuses because of one field: an editor should refuse them
// as well.
func TestSchemaRefuses(t *testing.T) {
	for _, test := range []struct{ name, given string }{
		{"no driver", "volumeBytes: 1\n"},
		{"no size", "driver: csi.example.com\n"},
		{"a negative size", "driver: csi.example.com\nvolumeBytes: -1\n"},
		{"an unknown field", sound + "volumesBytes: 1\n"},
		{"an unknown field of a kind", sound + "volumes: [{accessibleFrom: 1, parameter: {}}]\n"},
		{"a volume from nowhere", sound + "volumes: [{accessibleFrom: 0}]\n"},
		{"a volume from some word", sound + "volumes: [{accessibleFrom: anywhere}]\n"},
		{"an access mode that does not exist", sound + "volumes: [{accessMode: ReadWriteMany}]\n"},
		{"a word that capacity is not", sound + "capacity: some\n"},
		{"a timeout without a unit", sound + "timeouts: {provision: 5}\n"},
		{"a timeout that is no duration", sound + "timeouts: {provision: soon}\n"},
		{"a waiver of nothing", sound + "waivers: [{reason: a}]\n"},
		{"a waiver of two things", sound + "waivers: [{requirement: PF-05, case: T-EQ-1, reason: a}]\n"},
		{"a cluster without topology", sound + "cluster: {}\n"},
		{"a workload of another kind", sound + "cluster: {topology: {zone: a}, ready: [{kind: Pod, namespace: a, name: b}]}\n"},
		{"disturbing what does not exist", sound + "cluster: {topology: {zone: a}, disturb: [scheduler]}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := profile.Parse("p.yaml", []byte(test.given)); err == nil {
				t.Error("Parse takes the profile, want it refused")
			}
			if err := valid(t, test.given); err == nil {
				t.Error("the schema takes the profile, want it refused")
			}
		})
	}
}

// besides holds the other fields that the example of a field requires.
var besides = map[string]string{
	"mount":             "block: true\n",
	"cluster.pools":     "capacity: exact\n",
	"directories.write": "directories:\n  root: /csi\n  make: [a]\n  remove: [a]\n  exists: [a]\n  read: [a]\n",
	"directories.read":  "directories:\n  root: /csi\n  make: [a]\n  remove: [a]\n  exists: [a]\n  write: [a]\n",
}

func TestExamplesAreSound(t *testing.T) {
	fields, err := Fields()
	if err != nil {
		t.Fatal(err)
	}
	var check func(fields []Field, within string)
	check = func(fields []Field, within string) {
		for _, field := range fields {
			if field.Text == "" {
				t.Errorf("%s has no text", field.Path)
			}
			check(field.Fields, field.Path)
			if field.Example == "" {
				continue
			}
			t.Run(field.Path, func(t *testing.T) {
				given, example := sound+besides[field.Path], field.Example+"\n"
				if within == "cluster" {
					given += "cluster:\n"
					if field.Name != "topology" {
						given += "  topology: {zone: a}\n"
					}
				}
				if within != "" {
					example = "  " + strings.ReplaceAll(field.Example, "\n", "\n  ") + "\n"
				}
				given += example
				if _, err := profile.Parse("p.yaml", []byte(given)); err != nil {
					t.Errorf("Parse: %v in\n%s", err, given)
				}
				if err := valid(t, given); err != nil {
					t.Errorf("the schema: %v in\n%s", err, given)
				}
			})
		}
	}
	check(fields, "")
}
