// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kind/pkg/cluster/nodes"
	"sigs.k8s.io/kind/pkg/exec"
)

// shell is a node that records touched files and counts imports.
type shell struct {
	nodes.Node
	files   map[string]bool
	imports int
	broken  bool
}

func (s *shell) String() string { return "node-1" }

func (s *shell) Command(name string, args ...string) exec.Cmd {
	return s.CommandContext(context.Background(), name, args...)
}

func (s *shell) CommandContext(_ context.Context, name string, args ...string) exec.Cmd {
	return &ran{run: func(stdout io.Writer) error {
		switch last := args[len(args)-1]; {
		case name == "test" && !s.files[last]:
			return errors.New("exit status 1")
		case name == "touch":
			s.files[last] = true
		case name == "ctr" && s.broken:
			return errors.New("no space left on device")
		case name == "ctr":
			s.imports++
		case name == "containerd":
			_, _ = io.WriteString(stdout, "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd]\nsnapshotter = \"overlayfs\"\n")
		}
		return nil
	}, stdout: io.Discard}
}

// ran is a command of the shell.
type ran struct {
	run    func(stdout io.Writer) error
	stdout io.Writer
}

func (r *ran) Run() error                      { return r.run(r.stdout) }
func (r *ran) SetEnv(...string) exec.Cmd       { return r }
func (r *ran) SetStdin(io.Reader) exec.Cmd     { return r }
func (r *ran) SetStderr(io.Writer) exec.Cmd    { return r }
func (r *ran) SetStdout(to io.Writer) exec.Cmd { r.stdout = to; return r }

func TestAnArchiveIsLoadedOnceForItsContent(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "driver.tar")
	node := &shell{files: map[string]bool{}}
	load := func(content string) error {
		t.Helper()
		if err := os.WriteFile(archive, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		digest, err := digestOf(archive)
		if err != nil {
			t.Fatal(err)
		}
		return loadArchive(t.Context(), node, archive, digest)
	}
	for i, step := range []struct {
		content string
		broken  bool
		want    int
	}{{"one", true, 0}, {"one", false, 1}, {"one", false, 1}, {"two", false, 2}, {"one", false, 2}} {
		node.broken = step.broken
		if err := load(step.content); (err != nil) != step.broken {
			t.Fatalf("step %d: got %v", i, err)
		} else if err != nil && !strings.Contains(err.Error(), "node-1") {
			t.Errorf("step %d: error %v does not name the node", i, err)
		}
		if node.imports != step.want {
			t.Errorf("step %d: want %d imports so far, got %d", i, step.want, node.imports)
		}
	}
}
