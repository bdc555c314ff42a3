// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"

	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// Scenario is what one case works with: its namespace, the zones and the driver. Methods
// called must… end the case with a verdict when they are not satisfied.
type Scenario struct {
	// Target is the driver under test and its cluster.
	Target *Target
	kube   kubernetes.Interface
	lines  *connections
	driver *plugins
	// Namespace holds what the case makes, and is a word that nobody else writes.
	Namespace string
	// all are the zones, or unzoned says why there are none.
	all     []Zone
	unzoned error
	// segments are those of all nodes that the driver is registered on, whether they take pods or not.
	segments []predicate.Segment
	// id is the case's.
	id string
	// began is when the case did, by the clock here.
	began time.Time
	// alone says that no other case runs, so that all that is new in the driver is the case's own.
	alone bool
	// pool are the parameters of classes whose room is the case's own; nil for room that it shares with others.
	pool map[string]string
	// before is what was there when the case began, nothing of which counts where others take from the same room; quiet is
	// the same, with what fills zones.
	before, quiet predicate.Holdings

	// capacityTracked says that the scheduler asks for room before it chooses a node.
	capacityTracked bool

	// ours are the PersistentVolumes that were seen to be of the case's claims: their handles by their names.
	ours map[string]string

	classes []*storagev1.StorageClass
	fillers map[string][]string // zone name to the ids of the volumes that fill it
	// snapshotClass is the VolumeSnapshotClass of the case; nil while it has none. snapshots are those that it has taken.
	snapshotClass *unstructured.Unstructured
	snapshots     []Snapshot
	tornDown      bool
	// recorder has what the recording proxy before the driver's controller recorded; nil until it is asked.
	recorder *recording
	// injects says that the case has had calls answered in the driver's stead.
	injects bool
	// undo undoes what the case changed outside of its namespace.
	undo []func(context.Context) error
	// namespaces are those of the case besides Namespace.
	namespaces []string
	// apart is the namespace of pods that are no part of the story; empty while there are none.
	apart string
	// placed is where the case's pods and volumes are.
	placed *placements
	// watches are what stops when the case ends.
	watches []func()
}

// begin prepares a case. What it cannot prepare is no verdict on the driver.
func begin(ctx context.Context, t *Target, lines *connections, c Case, pool map[string]string) (s *Scenario, err error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	s = &Scenario{
		Target:  t,
		kube:    lines.Kube,
		lines:   lines,
		began:   time.Now(),
		fillers: map[string][]string{},
		ours:    map[string]string{},
		alone:   t.Parallel <= 1 || alone(c, pool != nil),
		pool:    pool,
	}
	if s.driver, err = s.connect(ctx); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, c.ID); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare takes stock and, when all went well, makes the case's namespace.
func (s *Scenario) prepare(ctx context.Context, id string) (err error) {
	s.unzoned = s.discoverZones(ctx)
	if s.ownRoom() {
		if s.before, err = s.Holdings(ctx); err != nil {
			return err
		}
		s.quiet = s.before
	}
	if s.capacityTracked, err = s.tracksCapacity(ctx); err != nil {
		return err
	}
	s.id = id
	s.placed = s.newPlacements(ctx)
	if s.Namespace, err = s.createNamespace(ctx); err != nil {
		return fmt.Errorf("creating the case's namespace: %w", err)
	}
	return nil
}

// longestID is what a namespace's name has room for, before the letters that make it unique.
const longestID = 40

func (s *Scenario) createNamespace(ctx context.Context) (string, error) {
	id := strings.ReplaceAll(s.id, "_", "-")
	namespace := &corev1.Namespace{}
	namespace.GenerateName = "csi-topo-" + strings.TrimSuffix(id[:min(len(id), longestID)], "-") + "-"
	if err := s.Resources().Create(ctx, namespace); err != nil {
		return "", err
	}
	s.watchPlacements(ctx, namespace.Name)
	// Pods are refused until a controller has given the namespace its service account.
	return namespace.Name, s.poll(ctx, s.Target.Timeouts.Run, func(ctx context.Context) error {
		_, err := s.kube.CoreV1().ServiceAccounts(namespace.Name).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// CreateNamespace creates another namespace for the case.
func (s *Scenario) CreateNamespace(ctx context.Context) string {
	name, err := s.createNamespace(ctx)
	if name != "" {
		s.namespaces = append(s.namespaces, name)
	}
	s.Need(err, "creating another namespace")
	return name
}

// aside is a namespace for pods that are no part of the story, and are not counted with those that are.
func (s *Scenario) aside(ctx context.Context) string {
	if s.apart == "" {
		s.apart = s.CreateNamespace(ctx)
	}
	return s.apart
}

// Resources reaches the objects of the case's namespace, and those of the cluster.
func (s *Scenario) Resources() *resources.Resources { return s.Target.Client.Resources(s.Namespace) }

func (s *Scenario) discoverZones(ctx context.Context) error {
	var nodes corev1.NodeList
	if err := s.Resources().List(ctx, &nodes); err != nil {
		return fmt.Errorf("listing nodes: %w", err)
	}
	var registered storagev1.CSINodeList
	if err := s.Resources().List(ctx, &registered); err != nil {
		return fmt.Errorf("listing CSINodes: %w", err)
	}
	zones, all, err := zonesOf(s.Target, nodes.Items, registered.Items)
	s.all, s.segments = zones, SegmentsOf(all...)
	return err
}

// tracksCapacity reads the driver's CSIDriver object; a driver without one is not tracked.
func (s *Scenario) tracksCapacity(ctx context.Context) (bool, error) {
	driver, err := s.kube.StorageV1().CSIDrivers().Get(ctx, s.Target.Driver, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the driver's CSIDriver: %w", err)
	}
	return driver.Spec.StorageCapacity != nil && *driver.Spec.StorageCapacity, nil
}

// connect asks the controller, any of its pods or, where each has volumes of its own,
// all of them, for its capabilities. Where nobody says where it is, nothing is asked of it.
func (s *Scenario) connect(ctx context.Context) (*plugins, error) {
	if s.Target.Controller == nil {
		return &plugins{perNode: s.Target.ControllerPerNode}, nil
	}
	sockets, err := s.Target.socketsOf(ctx, s.Target.Controller)
	if err != nil {
		return nil, err
	}
	connected := &plugins{byNode: map[string]*plugin{}, perNode: s.Target.ControllerPerNode}
	for _, node := range slices.Sorted(maps.Keys(sockets)) {
		if connected.byNode[node], err = connectPlugin(ctx, s.lines, sockets[node], s.Target.Timeouts); err != nil {
			return nil, err
		}
		if !connected.perNode {
			break
		}
	}
	return connected, nil
}

// close ends what the case watched.
func (s *Scenario) close() {
	for _, stop := range s.watches {
		stop()
	}
}
