// SPDX-License-Identifier: Apache-2.0

// Package hook runs the programs of a vendor's profile: for directories on remote nodes, the exhaustion of segments, and
// the restart of the driver. Each program has a time limit, and is ended with all processes that it has started; only a
// limited amount of its output is kept.
package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Paths returns paths that create directories with the profile's programs or, without any, below root in this process's
// file system.
func Paths(d profile.Directories, root string, limits profile.Timeouts) harness.Paths {
	if d.Root != "" {
		root = d.Root
	}
	if len(d.Make) == 0 {
		return paths.Local(root)
	}
	return remote{d, root, newLimit(limits.Query, "query")}
}

type remote struct {
	profile.Directories
	root  string
	limit limit
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

// Unmount is unsupported: no profile has a program that reboots a node.
func (remote) Unmount(context.Context, string, string) error { return errors.ErrUnsupported }

func (r remote) Exists(ctx context.Context, node, path string) (bool, error) {
	out, err := r.run(ctx, node, r.Directories.Exists, path)
	if err != nil {
		return false, err
	}
	switch said := foreign.Cut(strings.TrimSpace(string(out)), mostSaid); said {
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
	_, err := p.run(ctx, r.limit, 0, path)
	return err
}

func (r remote) Read(ctx context.Context, node, path string, offset int64, most int) ([]byte, error) {
	p := program{r.Directories.Read, []string{"CSI_TOPO_NODE=" + node, fmt.Sprintf("CSI_TOPO_OFFSET=%d", offset), fmt.Sprintf("CSI_TOPO_BYTES=%d", most)}, nil}
	return p.run(ctx, r.limit, most, path)
}

// Mounted returns known as false: no program of the profile reports it.
func (r remote) Mounted(context.Context, string, string) (mounted, known bool, err error) {
	return false, false, nil
}

func (r remote) run(ctx context.Context, node string, command []string, path string) ([]byte, error) {
	return program{command, []string{"CSI_TOPO_NODE=" + node}, nil}.run(ctx, r.limit, mostRead, path)
}

// Exhauster returns an exhauster that uses up room with the profile's programs; nil if the profile has none.
func Exhauster(e profile.Exhaust, limits profile.Timeouts) harness.Exhauster {
	if len(e.Command) == 0 {
		return nil
	}
	return exhauster{e, newLimit(limits.Provision, "provision")}
}

type exhauster struct {
	programs profile.Exhaust
	limit    limit
}

func (e exhauster) Exhaust(ctx context.Context, segment map[string]string) error {
	return e.onSegment(ctx, e.programs.Command, segment)
}

func (e exhauster) GiveBack(ctx context.Context, segment map[string]string) error {
	return e.onSegment(ctx, e.programs.GiveBack, segment)
}

func (e exhauster) onSegment(ctx context.Context, command []string, segment map[string]string) error {
	data, err := json.Marshal(segment)
	if err != nil {
		return fmt.Errorf("writing segment %v as JSON: %w", segment, err)
	}
	_, err = program{command, []string{"CSI_TOPO_SEGMENT=" + string(data)}, nil}.run(ctx, e.limit, 0)
	return err
}
