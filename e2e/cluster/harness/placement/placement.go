// SPDX-License-Identifier: Apache-2.0

// Package placement records the location of a case's pods and volumes, for the report: no verdict depends on it.
package placement

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Log records the location of the case's pods and volumes, from the creation of its namespaces until the clean-up. It is
// for the report: no verdict depends on it, and unobservable locations are left out.
type Log struct {
	kube  kubernetes.Interface
	began time.Time
	zones []topology.Zone
	// volume reads the PersistentVolume of a bound claim.
	volume func(name string) (*corev1.PersistentVolume, error)

	mu      sync.Mutex
	ended   bool
	pods    []podAt
	volumes []claimAt
	claims  []types.UID // bound or not
	stops   []context.CancelFunc
}

type podAt struct {
	uid types.UID
	suite.PlacedPod
}

type claimAt struct {
	uid types.UID
	suite.PlacedVolume
}

// New returns the log of a case that begins at began.
func New(ctx context.Context, kube kubernetes.Interface, began time.Time, zones []topology.Zone, call time.Duration) *Log {
	return &Log{kube: kube, began: began, zones: zones, volume: func(name string) (*corev1.PersistentVolume, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), call)
		defer cancel()
		return kube.CoreV1().PersistentVolumes().Get(ctx, name, metav1.GetOptions{})
	}}
}

// Watch records the location of the pods and volumes of the namespace, until End.
func (p *Log) Watch(ctx context.Context, namespace string) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.mu.Lock()
	p.stops = append(p.stops, stop)
	p.mu.Unlock()
	factory := informers.NewSharedInformerFactoryWithOptions(p.kube, 0, informers.WithNamespace(namespace))
	pods, claims := factory.Core().V1().Pods().Informer(), factory.Core().V1().PersistentVolumeClaims().Informer()
	for informer, note := range map[cache.SharedIndexInformer]func(object any, gone bool){pods: p.notePod, claims: p.noteClaim} {
		// An informer that has not been started accepts every handler.
		_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { note(object, false) },
			UpdateFunc: func(_, object any) { note(object, false) },
			DeleteFunc: func(object any) { note(object, true) },
		})
	}
	factory.Start(ctx.Done())
}

// End stops the recording: later removals are not moves.
func (p *Log) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for _, stop := range p.stops {
		stop()
	}
}

// now returns the time since the case began, in seconds to the millisecond.
func (p *Log) now() float64 {
	return time.Since(p.began).Round(time.Millisecond).Seconds()
}

func (p *Log) notePod(object any, gone bool) {
	if missed, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = missed.Obj
	}
	pod, ok := object.(*corev1.Pod)
	if !ok || pod.Spec.NodeName == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	at := slices.IndexFunc(p.pods, func(known podAt) bool { return known.uid == pod.UID })
	if at < 0 {
		at = len(p.pods)
		p.pods = append(p.pods, podAt{pod.UID, suite.PlacedPod{
			Name: pod.Name, Node: pod.Spec.NodeName, Segment: p.zoneOf(pod.Spec.NodeName), Volumes: claimsOf(pod), Since: p.now(),
		}})
	}
	over := gone || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if over && p.pods[at].Until == 0 {
		p.pods[at].Until = p.now()
	}
}

func (p *Log) zoneOf(node string) string {
	for _, zone := range p.zones {
		if slices.Contains(zone.NodeNames(), node) {
			return zone.Name
		}
	}
	return ""
}

// claimsOf returns the names of the pod's claims.
func claimsOf(pod *corev1.Pod) []string {
	var names []string
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			names = append(names, volume.PersistentVolumeClaim.ClaimName)
		}
	}
	return names
}

func (p *Log) noteClaim(object any, gone bool) {
	claim, ok := object.(*corev1.PersistentVolumeClaim)
	if !ok || gone {
		return
	}
	size := claim.Status.Capacity[corev1.ResourceStorage]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if !slices.Contains(p.claims, claim.UID) {
		p.claims = append(p.claims, claim.UID)
	}
	if claim.Status.Phase != corev1.ClaimBound {
		return
	}
	if at := slices.IndexFunc(p.volumes, func(known claimAt) bool { return known.uid == claim.UID }); at >= 0 {
		p.volumes[at].Bytes = size.Value()
		return
	}
	placed := claimAt{claim.UID, suite.PlacedVolume{Name: claim.Name, Bytes: size.Value(), Since: p.now()}}
	if volume, err := p.volume(claim.Spec.VolumeName); err == nil && volume.Spec.NodeAffinity != nil {
		for _, zone := range p.zones {
			if predicate.AccessibleFrom(volume, zone.Segment) == nil {
				placed.Segments = append(placed.Segments, zone.Name)
			}
		}
	}
	p.volumes = append(p.volumes, placed)
}

// All returns the record, in chronological order.
func (p *Log) All() suite.Placement {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found suite.Placement
	for _, pod := range p.pods {
		found.Pods = append(found.Pods, pod.PlacedPod)
	}
	for _, volume := range p.volumes {
		found.Volumes = append(found.Volumes, volume.PlacedVolume)
	}
	return found
}

// VolumeNames returns the names of the volumes of the case's claims in the provisioner's requests, bound or not.
func (p *Log) VolumeNames() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, claim := range p.claims {
		names = append(names, "pvc-"+string(claim))
	}
	return names
}
