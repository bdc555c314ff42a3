// SPDX-License-Identifier: Apache-2.0

// Package hook carries out what a vendor's profile leaves to programs of the vendor's: directories on nodes elsewhere,
// the exhaustion of segments, and the restart of the driver.
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
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
)

// Paths makes directories as the profile says, or below root in this process' file system when it names no programs.
func Paths(d profile.Directories, root string) harness.Paths {
	if d.Root != "" {
		root = d.Root
	}
	if len(d.Make) == 0 {
		return paths.Local(root)
	}
	return remote{d, root}
}

type remote struct {
	profile.Directories
	root string
}

func (r remote) Root() string { return r.root }

func (r remote) Make(ctx context.Context, node, path string) error {
	_, err := r.run(ctx, node, r.Directories.Make, path)
	return err
}

func (r remote) Remove(ctx context.Context, node, path string) error {
	_, err := r.run(ctx, node, r.Directories.Remove, path)
	return err
}

func (r remote) Exists(ctx context.Context, node, path string) (bool, error) {
	out, err := r.run(ctx, node, r.Directories.Exists, path)
	if err != nil {
		return false, err
	}
	switch said := strings.TrimSpace(string(out)); said {
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, fmt.Errorf("the profile's program %q printed %q: want true or false", r.Directories.Exists, said)
	}
}

func (r remote) Data() bool { return len(r.Directories.Write) > 0 }

func (r remote) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	p := program{r.Directories.Write, []string{"CSI_TOPO_NODE=" + node, fmt.Sprintf("CSI_TOPO_OFFSET=%d", offset), fmt.Sprintf("CSI_TOPO_BYTES=%d", len(data))}, data}
	_, err := p.run(ctx, path)
	return err
}

func (r remote) Read(ctx context.Context, node, path string, offset int64, most int) ([]byte, error) {
	p := program{r.Directories.Read, []string{"CSI_TOPO_NODE=" + node, fmt.Sprintf("CSI_TOPO_OFFSET=%d", offset), fmt.Sprintf("CSI_TOPO_BYTES=%d", most)}, nil}
	read, err := p.run(ctx, path)
	return read[:min(len(read), most)], err
}

// Mounted is not known: no program of the profile tells.
func (r remote) Mounted(context.Context, string, string) (mounted, known bool, err error) {
	return false, false, nil
}

func (r remote) run(ctx context.Context, node string, command []string, path string) ([]byte, error) {
	return program{command, []string{"CSI_TOPO_NODE=" + node}, nil}.run(ctx, path)
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
	_, err = program{command, []string{"CSI_TOPO_SEGMENT=" + string(data)}, nil}.run(ctx)
	return err
}

// Restart restarts the driver by the profile's program; nil when it names none. The driver that the program starts may keep
// its output, which goes into a file: of a pipe the end would be waited for.
func Restart(line []string) func(context.Context) error {
	if len(line) == 0 {
		return nil
	}
	return func(ctx context.Context) error {
		output, err := os.CreateTemp("", "csi-topo-restart-")
		if err != nil {
			return fmt.Errorf("making a file for the output of the profile's program %q: %w", line, err)
		}
		defer func() { _, _ = output.Close(), os.Remove(output.Name()) }()
		command := exec.CommandContext(ctx, line[0], line[1:]...)
		command.Stdout, command.Stderr = output, output
		if err := command.Run(); err != nil {
			said, _ := os.ReadFile(output.Name())
			return fmt.Errorf("the profile's program %q failed: %w: %s", line, err, strings.TrimSpace(string(said)))
		}
		return nil
	}
}

// program is one of the profile's, with the variables that it gets besides those of this process, and its standard input.
type program struct {
	command     []string
	environment []string
	input       []byte
}

// run runs the program and returns what it printed.
func (p program) run(ctx context.Context, arguments ...string) ([]byte, error) {
	line := append(p.command[:len(p.command):len(p.command)], arguments...)
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.Env = append(os.Environ(), p.environment...)
	var out, errOut bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(p.input), &out, &errOut
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("the profile's program %q failed: %w: %s", line, err, strings.TrimSpace(errOut.String()))
	}
	return out.Bytes(), nil
}
