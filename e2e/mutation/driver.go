// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/paths"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	// MaxVolumesPerNode is the limit of the drivers' nodes.
	MaxVolumesPerNode = 8
	// SmallestVolume is the smallest size in bytes of the drivers' volumes.
	SmallestVolume = 1 << 20
	// LargestVolume is the largest size in bytes of the drivers' volumes; a segment has room for more than one of them.
	LargestVolume = 512 << 20
)

// Driver is a variant of the reference driver, or of its environment.
type Driver struct {
	// Options changes how the driver is started, and Target what the cases know of it; either may be nil.
	Options func(*embedded.Options)
	Target  func(*harness.Target)
	// Profile is what its vendor says of it, as YAML; that of the reference driver when empty.
	Profile string
	// Fault is how the driver is wrong.
	Fault Fault
	// Running has the running driver as well; it may be nil.
	Running func(*embedded.Driver, *harness.Target)
	// Process runs the driver in a process of its own, in which Running cannot look; nil runs it in this one.
	Process *Process
	// Restarting restarts the driver where it runs in this process; nil ends it and starts it again.
	Restarting func(ctx context.Context, restarted *Restartable) error
	// PerNode are the names of nodes, each with a driver of its own, whose controller knows the volumes of that node alone; nil
	// starts one driver.
	PerNode []string
	// Preflight has the suite look for the form of requests that the driver takes before the first case, as it does for a vendor.
	Preflight bool
	// Focus is a regular expression over the ids and areas of the cases that are run; empty runs all.
	Focus string
	// Only are the ids of the cases that are run, all of them when nil.
	Only []string
	// Watch is told of each case; nil is not.
	Watch suite.Watcher
}

// running is a driver that has been started.
type running struct {
	// dir is the driver's directory, with a short path: it is that of sockets.
	dir string
	// halt ends the driver; nil while there is none.
	halt func() error
	// restart ends it and starts it again; nil where that cannot be asked for.
	restart func(context.Context) error
	// target is the driver as the cases see it, and nodes are all of its nodes, whatever they are told.
	target *harness.Target
	nodes  []grpc.ClientConnInterface
}

// start starts the driver; stop removes all that it has.
func (d Driver) start(ctx context.Context, seed int64) (started *running, err error) {
	started = &running{}
	defer func() {
		if err != nil {
			err = errors.Join(err, started.stop())
		}
	}()
	if started.dir, err = os.MkdirTemp("", "spec"); err != nil {
		return started, err
	}
	served, driver, err := d.serve(ctx, started)
	if err != nil {
		return started, err
	}
	target, err := d.targetOf(served)
	if err != nil {
		return started, err
	}
	target.Restart = started.restart
	target.Seed = seed
	target.Paths = paths.Local(filepath.Join(started.dir, "node"))
	started.target, started.nodes = target, slices.Clone(target.Nodes)
	if len(d.PerNode) > 0 {
		if err := d.startPerNode(ctx, started); err != nil {
			return started, err
		}
		started.nodes = slices.Clone(target.Nodes)
	}
	if d.Target != nil {
		d.Target(target)
	}
	if d.Process != nil {
		target.Timeouts.Restart = restartOfProcess
	}
	if d.Running != nil {
		d.Running(driver, target)
	}
	return started, nil
}

// serve runs the driver in the directory of what is started. In a process of its own there is no driver to look into.
func (d Driver) serve(ctx context.Context, started *running) (served, *embedded.Driver, error) {
	if d.Process == nil {
		restarted := &Restartable{options: d.options(started.dir)}
		if err := restarted.Start(ctx); err != nil {
			return served{}, nil, err
		}
		started.halt, started.restart = restarted.Stop, d.restart(restarted)
		return servedBy(restarted.driver), restarted.driver, nil
	}
	if d.Running != nil {
		return served{}, nil, errors.New("a driver whose cases look into it cannot run in a process of its own")
	}
	kept, err := keep(ctx, d.Process, started.dir)
	if err != nil {
		return served{}, nil, err
	}
	started.halt = kept.stop
	return kept.served, nil, nil
}

// options are how the driver is started in the directory.
func (d Driver) options(dir string) embedded.Options {
	options := embedded.Options{
		Dir:               dir,
		Sizes:             service.Sizes{MinimumBytes: SmallestVolume, MaximumBytes: LargestVolume},
		MaxVolumesPerNode: MaxVolumesPerNode,
	}
	if d.Options != nil {
		d.Options(&options)
	}
	return options
}

func (r *running) stop() error {
	var err error
	if r.halt != nil {
		err = r.halt()
	}
	return errors.Join(err, os.RemoveAll(r.dir))
}

// profile is what the driver's vendor says of it.
func (d Driver) profile() (profile.Profile, error) {
	if d.Profile == "" {
		return profile.Known(profile.Reference)
	}
	return profile.Parse("profile.yaml", []byte(d.Profile))
}

// Steps is how many requests the generated case makes of a driver that says nothing else.
const Steps = 100

func (d Driver) targetOf(driver served) (*harness.Target, error) {
	described, err := d.profile()
	if err != nil {
		return nil, err
	}
	controller, err := wire.Dial(driver.Controller)
	if err != nil {
		return nil, err
	}
	target := &harness.Target{
		Controller: faulty{controller, d.Fault},
		Endpoints:  []string{driver.Controller},
		Profile:    described,
		Run:        "test",
		Steps:      Steps,
		Timeouts:   timeouts(),
	}
	for _, node := range driver.Nodes {
		conn, err := wire.Dial(node.Endpoint)
		if err != nil {
			return nil, err
		}
		target.Nodes, target.Endpoints = append(target.Nodes, faulty{conn, d.Fault}), append(target.Endpoints, node.Endpoint)
		if d.Profile == "" {
			target.Profile.Segments = append(target.Profile.Segments, node.Segment)
		}
	}
	return target, nil
}

// Hurry shortens the limits of calls that a driver never answers, or repeats in vain. Right calls end in time on a machine that
// is busy with other tests for a second.
func Hurry(t *harness.Target) {
	const limit = 3 * time.Second
	t.Timeouts.Provision, t.Timeouts.Query, t.Timeouts.Cleanup = limit, limit, limit
}

// timeouts are enough for a driver in the same process, and short for one that never does what it is asked.
func timeouts() profile.Timeouts {
	const calls, settle, restart = 5 * time.Second, 50 * time.Millisecond, time.Second
	const refusal, generated = 500 * time.Millisecond, time.Minute
	return profile.Timeouts{Provision: calls, Query: calls, Refusal: refusal, SnapshotReady: calls, Settle: settle, Cleanup: calls, Restart: restart, Generated: generated}
}
