// SPDX-License-Identifier: Apache-2.0

package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func TestPathsByPrograms(t *testing.T) {
	root := t.TempDir()
	paths := Paths(profile.Directories{
		Root:   root,
		Make:   []string{"sh", "-c", `mkdir -p "$0" && echo "$CSI_TOPO_NODE" > "$0/node"`},
		Remove: []string{"rm", "-r"},
		Exists: []string{"sh", "-c", `test -e "$0" && echo true || echo false`},
	}, "/nowhere", profile.DefaultTimeouts())
	if paths.Root() != root {
		t.Errorf("Root = %s, want the profile's", paths.Root())
	}
	dir := filepath.Join(root, "a", "b")
	if err := paths.Make(t.Context(), "node-1", dir); err != nil {
		t.Fatal(err)
	}
	if node, err := os.ReadFile(filepath.Join(dir, "node")); string(node) != "node-1\n" {
		t.Errorf("the program had the node %q, %v", node, err)
	}
	if found, err := paths.Exists(t.Context(), "node-1", dir); !found || err != nil {
		t.Errorf("Exists = %v, %v", found, err)
	}
	if err := paths.Remove(t.Context(), "node-1", dir); err != nil {
		t.Fatal(err)
	}
	if found, err := paths.Exists(t.Context(), "node-1", dir); found || err != nil {
		t.Errorf("Exists = %v, %v after Remove", found, err)
	}
}

func TestDataOnNodes(t *testing.T) {
	root := t.TempDir()
	programs := profile.Directories{
		Root:   root,
		Make:   []string{"mkdir", "-p"},
		Remove: []string{"rmdir"},
		Exists: []string{"sh", "-c", `test -e "$0" && echo true || echo false`},
		// The example of profile.Directories.
		Write: []string{"sh", "-c", `dd of="$0" seek="$CSI_TOPO_OFFSET" oflag=seek_bytes conv=notrunc,fsync`},
		Read:  []string{"sh", "-c", `dd if="$0" skip="$CSI_TOPO_OFFSET" count="$CSI_TOPO_BYTES" iflag=skip_bytes,count_bytes`},
	}
	for name, paths := range map[string]harness.Paths{
		"by programs":         Paths(programs, "", profile.DefaultTimeouts()),
		"in this file system": Paths(profile.Directories{}, root, profile.Timeouts{}),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(root, strings.ReplaceAll(name, " ", "-"))
			for _, step := range []struct {
				offset int64
				data   string
			}{{0, "abc"}, {5, "fgh"}, {1, "B"}} {
				if err := paths.Write(t.Context(), "node-1", file, step.offset, []byte(step.data)); err != nil {
					t.Fatal(err)
				}
			}
			for _, want := range []struct {
				offset int64
				most   int
				data   string
			}{{0, 3, "aBc"}, {4, 2, "\x00f"}, {6, 9, "gh"}, {20, 1, ""}} {
				if got, err := paths.Read(t.Context(), "node-1", file, want.offset, want.most); err != nil || string(got) != want.data {
					t.Errorf("%d bytes from %d on are %q, %v, want %q", want.most, want.offset, got, err, want.data)
				}
			}
			if !paths.Data() {
				t.Error("nothing can be written")
			}
			if _, err := paths.Read(t.Context(), "node-1", filepath.Join(root, "nowhere"), 0, 1); err == nil {
				t.Error("a file is read that is not there")
			}
		})
	}
	programs.Write, programs.Read = nil, nil
	if Paths(programs, "", profile.DefaultTimeouts()).Data() {
		t.Error("something can be written without a program")
	}
}

func TestLocalPaths(t *testing.T) {
	paths := Paths(profile.Directories{}, filepath.Join(t.TempDir(), "root"), profile.Timeouts{})
	dir := filepath.Join(paths.Root(), "a")
	if err := paths.Make(t.Context(), "node-1", dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := paths.Remove(t.Context(), "node-1", dir); err == nil {
		t.Error("a directory was removed with what a driver left in it")
	}
}

func TestProgramsThatFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		exists []string
		want   string
	}{
		{"a status", []string{"sh", "-c", "echo no such node >&2; exit 3"}, "exit status 3: no such node"},
		{"another word", []string{"echo"}, "want true or false"},
		{"no program", []string{"/nowhere/program"}, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			paths := Paths(profile.Directories{Root: "/a", Make: []string{"true"}, Exists: c.exists}, "", profile.DefaultTimeouts())
			if _, err := paths.Exists(t.Context(), "node", "/path"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Exists = %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestExhauster(t *testing.T) {
	if Exhauster(profile.Exhaust{}, profile.Timeouts{}) != nil {
		t.Error("there is an exhauster without programs")
	}
	said := filepath.Join(t.TempDir(), "said")
	program := []string{"sh", "-c", `printf '%s %s\n' "$1" "$CSI_TOPO_SEGMENT" >> "$0"`, said}
	exhauster := Exhauster(profile.Exhaust{Command: append(program, "take"), GiveBack: append(program, "give")}, profile.DefaultTimeouts())
	segment := map[string]string{"zone": "a"}
	if err := exhauster.Exhaust(t.Context(), segment); err != nil {
		t.Fatal(err)
	}
	if err := exhauster.GiveBack(t.Context(), segment); err != nil {
		t.Fatal(err)
	}
	want := "take {\"zone\":\"a\"}\ngive {\"zone\":\"a\"}\n"
	if got, err := os.ReadFile(said); string(got) != want {
		t.Errorf("the programs had %q, %v, want %q", got, err, want)
	}
}
