// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/image"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

const (
	volumeBytes = 1 << 30
	// nodeLimit is the maximum number of volumes on a node. It is never reached.
	nodeLimit = 256
	// publishedOf is the number of volumes for each published one.
	publishedOf = 10
	// fillers is the number of concurrent calls that fill a population.
	fillers = 100
)

// Population is a controller with its volumes. The benchmark calls its exported
// methods, by net/rpc, in the process that it runs in.
type Population struct {
	store      *record.Store
	controller *service.Controller
	// known are all segments.
	known []topology.Segment

	mu sync.Mutex
	// free holds the volumes that are not published, in no order.
	free []present
	undo []step
}

// present is an existing volume. It is small compared with the driver's own record.
type present struct {
	id   string
	zone string
}

// step is one call of the controller.
type step func(context.Context) error

// Filling describes the population to create.
type Filling struct {
	// Dir is an empty directory for the records and images.
	Dir string
	// Kind is the kind of volumes on disk.
	Kind volume.Kind
	// Volumes is the number of volumes; every tenth is published.
	Volumes int
}

// Fill starts the controller, and gives it its volumes.
func (p *Population) Fill(f Filling, _ *struct{}) error {
	images, err := image.Open(f.Dir, nil)
	if err != nil {
		return err
	}
	if p.store, err = record.Open(filepath.Join(f.Dir, "records.db"), nil); err != nil {
		return err
	}
	inventory := nodes()
	p.known = inventory.Segments()
	p.controller, err = service.NewController(context.Background(), service.ControllerConfig{
		Inventory: inventory,
		Pools:     pool.New(pool.Uniform(1 << 60)),
		Store:     p.store,
		Volumes:   volume.Provisioners{volume.Image: images, volume.InMemory: memory.New()},
		Kinds: []service.SupportedKind{{Kind: f.Kind, Sizes: service.Sizes{
			MinimumBytes: image.MinimumBytes, DefaultBytes: volumeBytes, UnitBytes: 1 << 20,
		}}},
		MaxVolumesPerNode: nodeLimit,
	})
	if err != nil {
		return err
	}
	if err := p.create(f.Volumes); err != nil {
		return err
	}
	var publish []step
	for range f.Volumes / publishedOf {
		publish = append(publish, p.publish(p.take()))
	}
	return atOnce(fillers, publish, nil)
}

// nodes returns an inventory of two nodes in each of three zones in two regions.
func nodes() service.FixedInventory {
	inventory := service.FixedInventory{}
	for _, region := range []string{"R1", "R2"} {
		for _, zone := range []string{"Z1", "Z2", "Z3"} {
			for _, node := range []string{"a", "b"} {
				inventory[region+zone+node] = topology.Segment{topology.RegionKey: region, topology.ZoneKey: region + zone}
			}
		}
	}
	return inventory
}

// create creates count more volumes.
func (p *Population) create(count int) error {
	steps := make([]step, 0, count)
	for range count {
		steps = append(steps, p.createOne())
	}
	return atOnce(fillers, steps, nil)
}

// take returns a random volume that is not published, and forgets it.
func (p *Population) take() present {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, last := rand.IntN(len(p.free)), len(p.free)-1
	v := p.free[i]
	p.free[i] = p.free[last]
	p.free = p.free[:last]
	return v
}

func (p *Population) add(v present) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, v)
}

// Batch is a number of calls of one RPC.
type Batch struct {
	RPC string
	// Each caller makes its calls one after the other, and all callers run concurrently.
	Callers, CallsEach int
}

// Measure makes the calls and returns the duration of each.
func (p *Population) Measure(b Batch, took *[]time.Duration) error {
	prepare, known := rpcs[b.RPC]
	if !known {
		return fmt.Errorf("no RPC %q is measured", b.RPC)
	}
	calls, undo, err := prepare(p, b.Callers*b.CallsEach)
	if err != nil {
		return fmt.Errorf("preparing %s: %w", b.RPC, err)
	}
	p.undo = undo
	*took = make([]time.Duration, len(calls))
	return atOnce(b.Callers, calls, *took)
}

// Restore undoes the calls, so that the number of volumes is as before.
func (p *Population) Restore(struct{}, *struct{}) error {
	return atOnce(fillers, p.undo, nil)
}

// atOnce runs the steps, divided among the callers, and records the duration of each.
func atOnce(callers int, steps []step, took []time.Duration) error {
	var group errgroup.Group
	start := make(chan struct{})
	for caller := range callers {
		group.Go(func() error {
			<-start
			for i := caller; i < len(steps); i += callers {
				began := time.Now()
				if err := steps[i](context.Background()); err != nil {
					return err
				}
				if took != nil {
					took[i] = time.Since(began)
				}
			}
			return nil
		})
	}
	close(start)
	return group.Wait()
}
