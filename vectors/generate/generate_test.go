// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/vectors"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	t.Chdir("..")
	file, err := encode(build())
	if err != nil {
		t.Fatal(err)
	}
	schema, err := reflected()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{fileName: file, schemaName: schema} {
		found, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(found), "\n")); diff != "" {
			t.Errorf("vectors/%s is not what the code says: want make generate to be run (-want +got):\n%s", name, diff)
		}
	}
	const most = 500_000 // bytes, so that a driver's repository takes it
	if len(file) > most {
		t.Errorf("%s has %d bytes, want at most %d", fileName, len(file), most)
	}
}

// valid checks JSON against the schema.
func valid(t *testing.T, text []byte) error {
	t.Helper()
	read := func(text []byte) any {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	schema, err := os.ReadFile(filepath.Join("..", schemaName))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaURL, read(schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(schemaURL)
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(read(text))
}

func TestSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", fileName))
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, text); err != nil {
		t.Error(err)
	}
	for _, test := range []struct{ name, old, new string }{
		{"no x", `"x":1,`, ``},
		{"x below 1", `"x":1,`, `"x":0,`},
		{"no segments", `"segments":["R1/Z2","R1/Z3","R1/Z4","R1/Z5"],`, `"segments":[],`},
		{"an unknown field", `"x":1,`, `"x":1,"y":1,`},
		{"a code that is no text", `["RESOURCE_EXHAUSTED"]`, `[8]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := valid(t, bytes.Replace(text, []byte(test.old), []byte(test.new), 1)); err == nil {
				t.Error("the schema takes the file, want it refused")
			}
		})
	}
}

// TestVectorsNameWhatExists looks up the topologies and clauses of each vector, and checks that each allows an answer.
func TestVectorsNameWhatExists(t *testing.T) {
	file, err := vectors.Load("")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range file.Vectors {
		if seen[v.ID] {
			t.Errorf("there are two vectors %s", v.ID)
		}
		seen[v.ID] = true
		if err := requirement.Check(v.Clauses...); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
		names := slices.Concat(v.Segments, v.Full, v.Existing, slices.Concat(v.Allowed.Volumes...), slices.Concat(v.Discouraged.Volumes...))
		for _, name := range names {
			if file.Topologies[name] == nil {
				t.Errorf("%s names the topology %s, which the file does not have", v.ID, name)
			}
		}
		if len(v.Allowed.Volumes)+len(v.Allowed.Codes) == 0 {
			t.Errorf("%s allows nothing", v)
		}
	}
	topologies := map[string]string{}
	for name, topology := range file.Topologies {
		text, err := line(topology)
		if err != nil {
			t.Fatal(err)
		}
		if other := topologies[string(text)]; other != "" {
			t.Errorf("%s and %s are the same topology", name, other)
		}
		topologies[string(text)] = name
	}
}

// TestCoverage checks that there are vectors of each kind.
func TestCoverage(t *testing.T) {
	lists := func(v vectors.Vector) (requisite, preferred []string) {
		if v.Requirement == nil {
			return nil, nil
		}
		return v.Requirement.Requisite, v.Requirement.Preferred
	}
	sorted := func(list []string) []string { return slices.Sorted(slices.Values(list)) }
	kinds := map[string]func(v vectors.Vector, requisite, preferred []string) bool{
		"x = 1":                     func(v vectors.Vector, _, _ []string) bool { return v.X == 1 },
		"x = 2":                     func(v vectors.Vector, _, _ []string) bool { return v.X == 2 },
		"x = 3":                     func(v vectors.Vector, _, _ []string) bool { return v.X == 3 },
		"no requisite":              func(_ vectors.Vector, r, p []string) bool { return len(r) == 0 && len(p) > 0 },
		"one requisite topology":    func(_ vectors.Vector, r, _ []string) bool { return len(r) == 1 },
		"many requisite topologies": func(_ vectors.Vector, r, _ []string) bool { return len(r) > 2 },
		"no preferred":              func(_ vectors.Vector, r, p []string) bool { return len(r) > 0 && len(p) == 0 },
		"preferred is a part":       func(_ vectors.Vector, r, p []string) bool { return len(p) > 0 && len(p) < len(r) },
		"preferred in another order": func(_ vectors.Vector, r, p []string) bool {
			return !slices.Equal(r, p) && slices.Equal(sorted(r), sorted(p))
		},
		"preferred is not in requisite": func(_ vectors.Vector, r, p []string) bool { return len(r) > 0 && !contains(r, p) },
		"only a region":                 func(_ vectors.Vector, r, _ []string) bool { return slices.Contains(r, "R1") },
		"an unknown segment":            func(_ vectors.Vector, r, _ []string) bool { return slices.Contains(r, "nowhere/nowhere") },
		"a topology twice":              func(_ vectors.Vector, r, _ []string) bool { return len(slices.Compact(sorted(r))) < len(r) },
		"a full segment":                func(v vectors.Vector, _, _ []string) bool { return len(v.Full) > 0 },
		"two regions":                   func(v vectors.Vector, _, _ []string) bool { return slices.Contains(v.Segments, "R2/Z2") },
		"a name that exists":            func(v vectors.Vector, _, _ []string) bool { return len(v.Existing) > 0 },
		"no requirement":                func(v vectors.Vector, _, _ []string) bool { return v.Requirement == nil },
	}
	const wanted = 10
	file, err := vectors.Load("")
	if err != nil {
		t.Fatal(err)
	}
	for kind, is := range kinds {
		count := 0
		for _, v := range file.Vectors {
			if requisite, preferred := lists(v); is(v, requisite, preferred) {
				count++
			}
		}
		if count < wanted {
			t.Errorf("%s: %d vectors, want %d", kind, count, wanted)
		}
	}
}

// contains reports whether a list contains all names of another one.
func contains(list, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(list, name) })
}

// TestQuotations looks for the sentence of each example in the specification.
func TestQuotations(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/container-storage-interface/spec").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "spec.md"))
	if err != nil {
		t.Fatal(err)
	}
	uncommented := regexp.MustCompile(`(?m)^ *// ?`).ReplaceAllString(string(text), "")
	spec := strings.Join(strings.Fields(uncommented), " ")
	for _, e := range examples() {
		if e.quotation == "" || !strings.Contains(spec, e.quotation) {
			t.Errorf("%s: the specification does not say %q", e.id, e.quotation)
		}
	}
}
