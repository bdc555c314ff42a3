// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	boundASecond column = "claims bound a second"
	boundAtEnd   column = "claims bound at the end"
	refusedOfAll column = "calls of CreateVolume without room"
)

// provisioning returns the experiments on claims that just fit into the room.
func provisioning() []Experiment {
	var all []Experiment
	for _, n := range []int{100, 1000} {
		patience := time.Minute + time.Duration(n)*time.Second/2
		late := func(name string, qps int) variant {
			return claims{claims: n, binding: storagev1.VolumeBindingWaitForFirstConsumer, qps: qps, patience: patience}.variant(name)
		}
		all = append(all, Experiment{
			Name:     fmt.Sprintf("claims-%d", n),
			Question: fmt.Sprintf("How soon are %d claims bound if the storage of %d nodes just fits them, and half of the nodes have three times as much as the others? csi-provisioner v6.4.0 with --strict-topology and 100 requests a second; the driver answers at once, and after %s the run ends", n, n/claimsOfNode, patience),
			Long:     n == 1000,
			compared: "tracking", columns: []column{boundASecond, boundAtEnd, refusedOfAll, callsOfAll},
			variants: []variant{
				late("on, 1 update a second", 1),
				late("off", 0),
				late("on, 50 updates a second", 50),
				claims{claims: n, binding: storagev1.VolumeBindingImmediate, patience: patience}.variant("off, and volumeBindingMode Immediate"),
			},
		})
	}
	return all
}

// claims are claims of a GiB each.
type claims struct {
	claims  int
	binding storagev1.VolumeBindingMode
	// qps is --kube-api-capacity-qps; capacity is not tracked if it is 0.
	qps int
	// patience is the time limit for binding them.
	patience time.Duration
}

// claimsOfNode is the average number of claims that fit on a node.
const claimsOfNode = 10

func (c claims) variant(name string) variant {
	provisioner := sidecar{"csi-provisioner", "v6.4.0"}
	return variant{name: name, sidecar: provisioner, run: func(ctx context.Context, w *world) (figures, error) {
		return c.run(ctx, w, provisioner)
	}}
}

func (c claims) run(ctx context.Context, w *world, version sidecar) (figures, error) {
	nodes := c.claims / claimsOfNode
	w.driver.room, w.driver.volumes = map[string]int64{}, map[string]*csi.Volume{}
	for i := range nodes {
		w.driver.room[nodeName(i)] = int64(claimsOfNode/2+i%2*claimsOfNode) << 30
	}
	if err := c.populate(ctx, w, nodes); err != nil {
		return nil, err
	}
	if err := c.start(ctx, w, version); err != nil {
		return nil, err
	}
	if c.qps > 0 {
		if err := w.untilPublished(ctx, nodes); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	if err := createClaims(ctx, w, c.claims, c.binding == storagev1.VolumeBindingWaitForFirstConsumer); err != nil {
		return nil, err
	}
	_, areBound, err := w.until(ctx, 250*time.Millisecond, c.patience, func(ctx context.Context) (bool, error) {
		bound, err := w.boundClaims(ctx)
		return bound == c.claims, err
	})
	if err != nil {
		return nil, err
	}
	took := time.Since(begin)
	bound, err := w.boundClaims(ctx)
	if err != nil {
		return nil, err
	}
	found := figures{boundAtEnd: float64(bound), callsOfAll: float64(w.driver.calls.Load()), refusedOfAll: float64(w.driver.refusals())}
	if areBound {
		found[boundASecond] = float64(bound) / took.Seconds()
	}
	return found, nil
}

// populate creates the nodes, a StorageClass and the CSIDriver.
func (c claims) populate(ctx context.Context, w *world, nodes int) error {
	if err := createNodes(ctx, w, 0, nodes); err != nil {
		return err
	}
	if err := createClasses(ctx, w, 1, c.binding); err != nil {
		return err
	}
	return createDriver(ctx, w, c.qps > 0)
}

// start starts all components that handle a claim.
func (c claims) start(ctx context.Context, w *world, version sidecar) error {
	if err := w.startBinder(ctx); err != nil {
		return err
	}
	if _, err := w.startScheduler(ctx, true); err != nil {
		return err
	}
	flags := []string{"--strict-topology", "--kube-api-qps=100", "--kube-api-burst=200"}
	var err error
	if c.qps > 0 {
		_, err = w.provision(ctx, version, append(flags, capacityFlags(time.Minute, c.qps)...)...)
	} else {
		_, err = w.startSidecar(ctx, version, flags...)
	}
	return err
}

// untilPublished waits until the capacity of every node is published.
func (w *world) untilPublished(ctx context.Context, nodes int) error {
	var now state
	_, areThere, err := w.until(ctx, 250*time.Millisecond, patience, func(ctx context.Context) (_ bool, err error) {
		now, err = w.publishedState(ctx, nil)
		return now.objects == nodes, err
	})
	if err == nil && !areThere {
		err = fmt.Errorf("%d CSIStorageCapacity objects after %s: want %d", now.objects, patience, nodes)
	}
	return err
}

// boundClaims returns the number of bound claims.
func (w *world) boundClaims(ctx context.Context) (int, error) {
	list, err := w.CoreV1().PersistentVolumeClaims(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, fmt.Errorf("listing claims: %w", err)
	}
	bound := 0
	for _, claim := range list.Items {
		if claim.Status.Phase == corev1.ClaimBound {
			bound++
		}
	}
	return bound, nil
}
