// Package hook carries out what a vendor's profile leaves to programs of the vendor's: directories on nodes elsewhere,
// and the exhaustion of segments.
package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Paths makes directories as the profile says, or below root in this process' file system when it names no programs.
func Paths(d profile.Directories, root string) harness.Paths {
	if d.Root != "" {
		root = d.Root
	}
	if len(d.Make) == 0 {
		return harness.LocalPaths(root)
	}
	return remote{d, root}
}

type remote struct {
	profile.Directories
	root string
}

func (r remote) Root() string { return r.root }

func (r remote) Make(ctx context.Context, node, path string) error {
	_, err := run(ctx, "CSI_TOPO_NODE="+node, r.Directories.Make, path)
	return err
}

func (r remote) Remove(ctx context.Context, node, path string) error {
	_, err := run(ctx, "CSI_TOPO_NODE="+node, r.Directories.Remove, path)
	return err
}

func (r remote) Exists(ctx context.Context, node, path string) (bool, error) {
	said, err := run(ctx, "CSI_TOPO_NODE="+node, r.Directories.Exists, path)
	if err != nil {
		return false, err
	}
	switch said {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("the profile's program %q printed %q: want true or false", r.Directories.Exists, said)
}

// Exhauster takes room away as the profile says; nil when it names no programs.
func Exhauster(e profile.Exhaust) harness.Exhauster {
	if len(e.Command) == 0 {
		return nil
	}
	return exhauster{e}
}

type exhauster struct{ programs profile.Exhaust }

func (e exhauster) Exhaust(ctx context.Context, segment map[string]string) error {
	return onSegment(ctx, e.programs.Command, segment)
}

func (e exhauster) GiveBack(ctx context.Context, segment map[string]string) error {
	return onSegment(ctx, e.programs.GiveBack, segment)
}

func onSegment(ctx context.Context, command []string, segment map[string]string) error {
	data, err := json.Marshal(segment)
	if err != nil {
		return fmt.Errorf("writing segment %v as JSON: %w", segment, err)
	}
	_, err = run(ctx, "CSI_TOPO_SEGMENT="+string(data), command)
	return err
}

// run runs a program of the profile's and returns what it printed, without white space around it.
func run(ctx context.Context, variable string, command []string, arguments ...string) (string, error) {
	line := append(command[:len(command):len(command)], arguments...)
	program := exec.CommandContext(ctx, line[0], line[1:]...)
	program.Env = append(os.Environ(), variable)
	var out, errOut bytes.Buffer
	program.Stdout, program.Stderr = &out, &errOut
	if err := program.Run(); err != nil {
		return "", fmt.Errorf("the profile's program %q failed: %w: %s", line, err, strings.TrimSpace(errOut.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
