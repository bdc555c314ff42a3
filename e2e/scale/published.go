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
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	afterStart   column = "s from the start"
	afterRelabel column = "s after a tenth of the nodes moved"
	afterRestart column = "s after a restart and a change"
	most         column = "most objects that should not be there, at the end of a step"
)

var objectColumns = []column{afterStart, afterRelabel, afterRestart, most}

// objects checks what csi-provisioner publishes: when it starts, after nodes moved to other segments, and after it was
// killed while the driver's capacity changed.
type objects struct {
	segments, classes int
}

func (o objects) run(ctx context.Context, w *world) (figures, error) {
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
	steps := []struct {
		of     column
		change func() error
	}{
		{afterStart, func() error { return w.provision(ctx, capacityFlags(poll, qps)...) }},
		{afterRelabel, func() error {
			for i := range max(1, o.segments/10) {
				moved := fmt.Sprintf("moved-%04d", i)
				delete(expected, nodeName(i))
				expected[moved] = 1 << 40
				patch := fmt.Appendf(nil, `{"metadata": {"labels": {%q: %q}}}`, topologyKey, moved)
				if _, err := w.CoreV1().Nodes().Patch(ctx, nodeName(i), types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil {
					return fmt.Errorf("moving node %s: %w", nodeName(i), err)
				}
			}
			return nil
		}},
		{afterRestart, func() error {
			w.running.kill()
			w.driver.answer(1<<39, 0)
			for segment := range expected {
				expected[segment] = 1 << 39
			}
			return w.provision(ctx, capacityFlags(poll, qps)...)
		}},
	}
	for _, step := range steps {
		if err := step.change(); err != nil {
			return nil, err
		}
		took, state, err := o.until(ctx, w, expected)
		if err != nil {
			return nil, err
		}
		if state.right(o.classes, expected) {
			found[step.of] = took.Seconds()
		}
		found[most] = max(found[most], float64(state.tooMany))
	}
	return found, nil
}

// until waits until everything is published as expected, and says how long that took. After some minutes it returns the
// state as it is.
func (o objects) until(ctx context.Context, w *world, expected map[string]int64) (took time.Duration, now state, err error) {
	const patience = 5 * time.Minute
	begin := time.Now()
	err = wait.PollUntilContextTimeout(ctx, 250*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		if now, err = w.publishedState(ctx, expected); err != nil {
			return false, err
		}
		return now.right(o.classes, expected), nil
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		err = nil
	}
	return time.Since(begin), now, err
}

// state is what is published.
type state struct {
	// objects is how many there are; right ones have the expected capacity, and tooMany are for pairs that should have
	// none, or have one already.
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
