// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	queueAtEnd   column = "queue at the end"
	queueLongest column = "longest queue"
	memory       column = "memory, MiB"
	callsOfAll   column = "calls of GetCapacity"
	objectsAtEnd column = "objects at the end"
)

var queueColumns = []column{queueAtEnd, queueLongest, memory, callsOfAll, objectsAtEnd}

// queue is a load for csi-provisioner's queue of CSIStorageCapacity objects, which has a pair of a segment and a
// StorageClass for each object.
type queue struct {
	segments, classes int
	// takes is how long the driver takes for GetCapacity.
	takes time.Duration
	// poll is --capacity-poll-interval, and qps --kube-api-capacity-qps.
	poll time.Duration
	qps  int
	// lasts is how long the queue is watched.
	lasts time.Duration
}

func (q queue) run(ctx context.Context, w *world) (figures, error) {
	w.driver.answer(1<<40, q.takes)
	if err := w.populate(ctx, q.segments, q.classes); err != nil {
		return nil, err
	}
	if err := w.provision(ctx, capacityFlags(q.poll, q.qps)...); err != nil {
		return nil, err
	}
	found, err := q.watch(ctx, w.running)
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

// capacityFlags returns the flags for a poll interval, and for updates a second with the default's ratio of a burst.
func capacityFlags(poll time.Duration, qps int) []string {
	return []string{"--capacity-poll-interval=" + poll.String(), fmt.Sprintf("--kube-api-capacity-qps=%d", qps), fmt.Sprintf("--kube-api-capacity-burst=%d", 5*qps)}
}

// watch reads the metrics each second.
func (q queue) watch(ctx context.Context, p *provisioner) (figures, error) {
	found := figures{}
	var last error
	ends := time.Now().Add(q.lasts)
	err := wait.PollUntilContextTimeout(ctx, time.Second, q.lasts+time.Minute, true, func(ctx context.Context) (bool, error) {
		select {
		case <-p.ended:
			return false, errors.New("csi-provisioner has ended")
		default:
		}
		var now reading
		if now, last = p.read(ctx); last != nil {
			return false, nil // it may not listen yet
		}
		found[queueAtEnd], found[memory] = now.queue, now.resident/(1<<20)
		found[queueLongest] = max(found[queueLongest], now.queue)
		return time.Now().After(ends), nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watching csi-provisioner: %w", err), last)
	}
	return found, nil
}
