// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

const (
	podsASecond column = "pods a second"
	cpuOfPod    column = "ms of CPU for a pod"
	filterOfPod column = "ms of Filter for a pod"
	scoreOfPod  column = "ms of Score for a pod"

	// selectedNode is the annotation with which the scheduler requests a volume.
	selectedNode = "volume.kubernetes.io/selected-node"
)

// schedulers returns the experiments on kube-scheduler.
func schedulers() []Experiment {
	var all []Experiment
	for _, nodes := range []int{100, 300, 1000} {
		pods := 20_000 / nodes
		all = append(all, Experiment{
			Name:     fmt.Sprintf("scheduler-%d", nodes),
			Question: fmt.Sprintf("What do CSIStorageCapacity objects cost kube-scheduler? %d nodes, 2 StorageClasses, room everywhere, %d pods with a claim that is bound late", nodes, pods),
			Long:     nodes == 1000,
			compared: "tracking", columns: []column{podsASecond, cpuOfPod, filterOfPod, scoreOfPod},
			variants: []variant{
				{name: "off", run: scheduling{nodes: nodes, pods: pods, scoring: true}.run},
				{name: "4 segments", run: scheduling{nodes: nodes, segments: 4, pods: pods, scoring: true}.run},
				{name: fmt.Sprintf("%d segments", nodes), run: scheduling{nodes: nodes, segments: nodes, pods: pods, scoring: true}.run},
				{name: fmt.Sprintf("%d segments, without StorageCapacityScoring", nodes), run: scheduling{nodes: nodes, segments: nodes, pods: pods}.run},
			},
		})
	}
	return all
}

// scheduling is a load for kube-scheduler.
type scheduling struct {
	nodes, pods int
	// segments is the number of segments with tracked capacity; 0 if capacity is not tracked.
	segments int
	// scoring turns on the feature gate StorageCapacityScoring.
	scoring bool
}

// run measures until the scheduler has chosen a node for each claim. Nothing provisions them.
func (s scheduling) run(ctx context.Context, w *world) (figures, error) {
	const classes = 2
	if err := createNodesIn(ctx, w, 0, s.nodes, max(s.segments, 1)); err != nil {
		return nil, err
	}
	if err := createClasses(ctx, w, classes, storagev1.VolumeBindingWaitForFirstConsumer); err != nil {
		return nil, err
	}
	if err := createDriver(ctx, w, s.segments > 0); err != nil {
		return nil, err
	}
	if err := createCapacity(ctx, w, s.segments, classes, 1<<40); err != nil {
		return nil, err
	}
	if err := createClaims(ctx, w, s.pods, true); err != nil {
		return nil, err
	}
	claims, err := w.watchClaims(ctx)
	if err != nil {
		return nil, err
	}
	defer claims.Stop()
	scheduler, err := w.startScheduler(ctx, s.scoring)
	if err != nil {
		return nil, err
	}
	return s.watch(ctx, claims, scheduler)
}

// watchClaims watches the claims as they change from now on.
func (w *world) watchClaims(ctx context.Context) (watch.Interface, error) {
	client := w.CoreV1().PersistentVolumeClaims(namespace)
	now, err := client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing claims: %w", err)
	}
	changes, err := watchtools.NewRetryWatcherWithContext(ctx, now.ResourceVersion, &cache.ListWatch{WatchFuncWithContext: client.Watch})
	if err != nil {
		return nil, fmt.Errorf("watching claims: %w", err)
	}
	return changes, nil
}

// watch measures from the first claim with a selected node to the last one.
func (s scheduling) watch(ctx context.Context, claims watch.Interface, scheduler *process) (figures, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var before families
	var begin time.Time
	seen := map[string]bool{}
	for len(seen) < s.pods {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("kube-scheduler has chosen nodes for %d of %d pods: %w", len(seen), s.pods, ctx.Err())
		case <-scheduler.ended:
			return nil, scheduler.alive()
		case event, isOpen := <-claims.ResultChan():
			claim, isClaim := event.Object.(*corev1.PersistentVolumeClaim)
			if !isOpen || !isClaim {
				return nil, fmt.Errorf("watching claims: got %v", event)
			}
			if claim.Annotations[selectedNode] == "" {
				continue
			}
			seen[claim.Name] = true
		}
		if before == nil {
			var err error
			if before, err = scheduler.read(ctx); err != nil {
				return nil, err
			}
			begin = time.Now()
		}
	}
	took := time.Since(begin)
	after, err := scheduler.read(ctx)
	if err != nil {
		return nil, err
	}
	const cpu, duration = "process_cpu_seconds_total", "scheduler_framework_extension_point_duration_seconds"
	return figures{
		podsASecond: float64(s.pods-1) / took.Seconds(),
		cpuOfPod:    1000 * (after.value(cpu) - before.value(cpu)) / float64(s.pods-1),
		filterOfPod: 1000 * after.mean(duration, "extension_point", "Filter"),
		scoreOfPod:  1000 * after.mean(duration, "extension_point", "Score"),
	}, nil
}
