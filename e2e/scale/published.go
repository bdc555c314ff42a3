// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	afterStart   column = "s from the start"
	afterRelabel column = "s after a tenth of the nodes moved"
	afterRestart column = "s after a restart and a change"
	afterGrowth  column = "s after a tenth more nodes came"
	most         column = "most objects that should not be there, at the end of a step"
)

var objectColumns = []column{afterStart, afterRelabel, afterRestart, afterGrowth, most}

// publishing returns the experiments on the objects that csi-provisioner publishes.
func publishing() []Experiment {
	var all []Experiment
	for _, segments := range []int{100, 300, 1000} {
		provisioner := sidecar{"csi-provisioner", "v6.4.0"}
		all = append(all, Experiment{
			Name:     fmt.Sprintf("objects-%d", segments),
			Question: fmt.Sprintf("How long does it take until the CSIStorageCapacity objects of %d segments and 2 StorageClasses are right, and are any there twice or too many? GetCapacity answers at once; 50 updates a second, a poll every 10 s", segments),
			Long:     segments == 1000,
			compared: "csi-provisioner", columns: objectColumns,
			variants: []variant{{name: provisioner.version, sidecar: provisioner, run: func(ctx context.Context, w *world) (figures, error) {
				return objects{segments: segments, classes: 2}.run(ctx, w, provisioner)
			}}},
		})
	}
	return all
}

// objects checks the objects that csi-provisioner publishes: when it starts, after nodes moved to other segments, after it
// was killed while the driver's capacity changed, and after nodes were added.
type objects struct {
	segments, classes int
}

func (o objects) run(ctx context.Context, w *world, version sidecar) (figures, error) {
	const poll, qps = 10 * time.Second, 50
	found := figures{}
	w.driver.answer(1<<40, 0)
	if err := w.populate(ctx, o.segments, o.classes); err != nil {
		return nil, err
	}
	expected := map[string]int64{}
	for i := range o.segments {
		expected[nodeName(i)] = 1 << 40
	}
	var provisioner *process
	start := func() (err error) {
		provisioner, err = w.provision(ctx, version, capacityFlags(poll, qps)...)
		return err
	}
	steps := []struct {
		of     column
		change func() error
	}{
		{afterStart, start},
		{afterRelabel, func() error {
			for i := range max(1, o.segments/10) {
				moved := fmt.Sprintf("moved-%04d", i)
				delete(expected, nodeName(i))
				expected[moved] = 1 << 40
				if err := w.move(ctx, nodeName(i), moved); err != nil {
					return err
				}
			}
			return nil
		}},
		{afterRestart, func() error {
			w.crash(provisioner)
			w.driver.answer(1<<39, 0)
			for segment := range expected {
				expected[segment] = 1 << 39
			}
			return start()
		}},
		{afterGrowth, func() error {
			more := max(1, o.segments/10)
			for i := range more {
				expected[nodeName(o.segments+i)] = 1 << 39
			}
			return createNodes(ctx, w, o.segments, o.segments+more)
		}},
	}
	for _, step := range steps {
		if err := step.change(); err != nil {
			return nil, err
		}
		took, isRight, err := w.until(ctx, 250*time.Millisecond, 5*time.Minute, func(ctx context.Context) (bool, error) {
			now, err := w.publishedState(ctx, expected)
			return now.right(o.classes, expected), err
		})
		if err != nil {
			return nil, err
		}
		state, err := w.publishedState(ctx, expected)
		if err != nil {
			return nil, err
		}
		if isRight {
			found[step.of] = took.Seconds()
		}
		found[most] = max(found[most], float64(state.tooMany))
	}
	return found, nil
}

// state is the state of the published objects.
type state struct {
	// objects is their number; rightOnes have the expected capacity, and tooMany are for pairs that should have no object,
	// or already have one.
	objects, rightOnes, tooMany int
}

func (s state) right(classes int, expected map[string]int64) bool {
	return s.tooMany == 0 && s.rightOnes == classes*len(expected) && s.objects == s.rightOnes
}

// publishedState reads the objects. Expected has the bytes of each segment.
func (w *world) publishedState(ctx context.Context, expected map[string]int64) (state, error) {
	list, err := w.StorageV1().CSIStorageCapacities(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return state{}, fmt.Errorf("listing CSIStorageCapacity objects: %w", err)
	}
	s := state{objects: len(list.Items)}
	seen := map[string]bool{}
	for _, object := range list.Items {
		labels := object.NodeTopology.MatchLabels
		bytes, wanted := expected[labels[topologyKey]]
		pair := object.StorageClassName + " " + strings.Join(slices.Sorted(maps.Values(labels)), " ")
		switch {
		case !wanted || seen[pair]:
			s.tooMany++
		case object.Capacity != nil && object.Capacity.Value() == bytes:
			s.rightOnes++
		}
		seen[pair] = true
	}
	return s, nil
}
