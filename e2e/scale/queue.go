// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"time"
)

const (
	queueAtEnd   column = "queue at the end"
	queueLongest column = "longest queue"
	memory       column = "memory, MiB"
	untilSeen    column = "s until a moved node is published"
	callsOfAll   column = "calls of GetCapacity"
	objectsAtEnd column = "objects at the end"
)

var queueColumns = []column{queueAtEnd, queueLongest, memory, untilSeen, callsOfAll, objectsAtEnd}

// queues returns the experiments on csi-provisioner's queue.
func queues() []Experiment {
	short := queue{segments: 200, classes: 2, takes: 10 * time.Millisecond, poll: 2 * time.Second, qps: 50, lasts: time.Minute}
	defaults := queue{segments: 200, classes: 2, takes: 300 * time.Millisecond, poll: time.Minute, qps: 1, lasts: 7 * time.Minute}
	topolvm := queue{segments: 1840, classes: 2, takes: 20 * time.Millisecond, poll: time.Minute, qps: 1, lasts: 8 * time.Minute}
	return []Experiment{
		{
			Name:     "queue",
			Question: "How does csi-provisioner's queue grow if GetCapacity of everything takes longer than the poll interval? 200 segments, 2 StorageClasses, 10 ms for GetCapacity, a poll every 2 s for a minute; after half of it a node moves",
			compared: "csi-provisioner", variants: short.variants(), columns: queueColumns,
		},
		{
			Name:     "queue-defaults",
			Question: "The same with the default poll interval of a minute and the default of 1 update a second, for 7 minutes; 300 ms for GetCapacity",
			Long:     true, compared: "csi-provisioner", variants: defaults.variants(), columns: queueColumns,
		},
		{
			Name:     "topolvm-1201",
			Question: "What happens with 1,840 nodes and 2 StorageClasses, as in topolvm#1201? Defaults, 20 ms for GetCapacity, for 8 minutes",
			Long:     true, compared: "csi-provisioner", variants: topolvm.variants(), columns: queueColumns,
		},
	}
}

// queue is a load for csi-provisioner's queue of CSIStorageCapacity objects, which has a pair of a segment and a
// StorageClass for each object.
type queue struct {
	segments, classes int
	// takes is the duration of the driver's GetCapacity.
	takes time.Duration
	// poll is --capacity-poll-interval, and qps --kube-api-capacity-qps.
	poll time.Duration
	qps  int
	// lasts is the time for which the queue is watched.
	lasts time.Duration
}

// variants returns a variant for each version of csi-provisioner.
func (q queue) variants() []variant {
	var all []variant
	for _, version := range []string{"v5.3.0", "v6.3.0", "v6.4.0"} {
		provisioner := sidecar{"csi-provisioner", version}
		all = append(all, variant{name: version, sidecar: provisioner, run: func(ctx context.Context, w *world) (figures, error) {
			return q.run(ctx, w, provisioner)
		}})
	}
	return all
}

func (q queue) run(ctx context.Context, w *world, version sidecar) (figures, error) {
	w.driver.answer(1<<40, q.takes)
	if err := w.populate(ctx, q.segments, q.classes); err != nil {
		return nil, err
	}
	provisioner, err := w.provision(ctx, version, capacityFlags(q.poll, q.qps)...)
	if err != nil {
		return nil, err
	}
	found, err := q.watch(ctx, w, provisioner)
	if err != nil {
		return nil, err
	}
	found[callsOfAll] = float64(w.driver.calls.Load())
	state, err := w.publishedState(ctx, nil)
	if err != nil {
		return nil, err
	}
	found[objectsAtEnd] = float64(state.objects)
	return found, nil
}

// capacityFlags returns the flags for a poll interval, and for a rate of updates, with the default ratio of burst to rate.
func capacityFlags(poll time.Duration, qps int) []string {
	return []string{"--capacity-poll-interval=" + poll.String(), fmt.Sprintf("--kube-api-capacity-qps=%d", qps), fmt.Sprintf("--kube-api-capacity-burst=%d", 5*qps)}
}

// watch reads the metrics every second. After half of the time, a node moves to another segment.
func (q queue) watch(ctx context.Context, w *world, provisioner *process) (figures, error) {
	const segment = "moved"
	found := figures{}
	begin := time.Now()
	var moved time.Time
	_, _, err := w.until(ctx, time.Second, q.lasts, func(ctx context.Context) (bool, error) {
		now, err := provisioner.read(ctx)
		if err != nil {
			return false, err
		}
		found[queueAtEnd] = now.value("workqueue_depth", "name", "csistoragecapacity")
		found[memory] = now.value("process_resident_memory_bytes") / (1 << 20)
		found[queueLongest] = max(found[queueLongest], found[queueAtEnd])
		if _, isSeen := found[untilSeen]; isSeen || time.Since(begin) < q.lasts/2 {
			return false, nil
		}
		if moved.IsZero() {
			moved = time.Now()
			return false, w.move(ctx, nodeName(0), segment)
		}
		state, err := w.publishedState(ctx, map[string]int64{segment: w.driver.bytes.Load()})
		if state.rightOnes == q.classes {
			found[untilSeen] = time.Since(moved).Seconds()
		}
		return false, err
	})
	return found, err
}
