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
	// Options changes the start options of the driver, and Target the cases' view of it; either may be nil.
	Options func(*embedded.Options)
	Target  func(*harness.Target)
	// Profile is its vendor's profile, as YAML; if it is empty, the reference driver's.
	Profile string
	// Fault is the fault of the driver.
	Fault Fault
	// Running changes the running driver as well; it may be nil.
	Running func(*embedded.Driver, *harness.Target)
	// Process runs the driver in a separate process, which Running cannot access; nil runs it in this one.
	Process *Process
	// Restarting restarts a driver that runs in this process; nil stops it and starts it again.
	Restarting func(ctx context.Context, restarted *Restartable) error
	// PerNode names nodes that each have a separate driver, whose controller knows the volumes of that node only; nil
	// starts one driver.
	PerNode []string
	// Preflight makes the suite look for the form of requests that the driver accepts before the first case, as it does
	// for a vendor.
	Preflight bool
	// Focus is a regular expression for the ids and areas of the cases that are run; empty runs all.
	Focus string
	// Only lists the ids of the cases that are run; nil runs all.
	Only []string
	// Watch is notified of each case; it may be nil.
	Watch suite.Watcher
}

// running is a started driver.
type running struct {
	// dir is the driver's directory. Its path is short, because it contains sockets.
	dir string
	// halt stops the driver; nil if it does not run.
	halt func() error
	// restart stops it and starts it again; nil if the cases cannot request that.
	restart func(context.Context) error
	// target is the driver as the cases see it, and nodes holds all of its nodes, including nodes that the cases do not
	// know.
	target *harness.Target
	nodes  []grpc.ClientConnInterface
}

// start starts the driver; stop removes everything that it creates.
func (d Driver) start(ctx context.Context, seed int64) (started *running, err error) {
	started = &running{}
	defer func() {
		if err != nil {
			err = errors.Join(err, started.stop())
		}
	}()
	if started.dir, err = embedded.MkdirTemp("spec"); err != nil {
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

// serve runs the driver in the directory. The returned driver is nil if it runs in a separate process.
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
		return served{}, nil, errors.New("a driver that is accessed by its cases cannot run in a separate process")
	}
	kept, err := keep(ctx, d.Process, started.dir)
	if err != nil {
		return served{}, nil, err
	}
	started.halt = kept.stop
	return kept.served, nil, nil
}

// options returns the options for starting the driver in the directory.
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

// profile returns the profile of the driver's vendor.
func (d Driver) profile() (profile.Profile, error) {
	if d.Profile == "" {
		return profile.Known(profile.Reference)
	}
	return profile.Parse("profile.yaml", []byte(d.Profile))
}

// Steps is the default number of requests that the generated case makes.
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

// Hurry shortens the limits of calls that a driver never answers, or that are repeated in vain. Correct calls still end in
// time on a machine that is busy for a second.
func Hurry(t *harness.Target) {
	const limit = 3 * time.Second
	t.Timeouts.Provision, t.Timeouts.Query, t.Timeouts.Cleanup = limit, limit, limit
}

// timeouts returns limits that are long enough for a driver in the same process, and short for a driver that never performs
// a request.
func timeouts() profile.Timeouts {
	const calls, settle, restart = 5 * time.Second, 50 * time.Millisecond, time.Second
	const refusal, generated = 500 * time.Millisecond, time.Minute
	return profile.Timeouts{Provision: calls, Query: calls, Refusal: refusal, SnapshotReady: calls, Settle: settle, Cleanup: calls, Restart: restart, Generated: generated}
}
