package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"

	"github.com/csi-topo/csi-topo/e2e/cluster/dial"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// scenario is what one case works with: its namespace, the zones and the driver. Methods
// called must… end the case with a verdict when they are not satisfied.
type scenario struct {
	target    *Target
	kube      kubernetes.Interface
	dialer    dial.Dialer
	driver    *plugins
	namespace string
	// all are the zones, or unzoned says why there are none.
	all     []zone
	unzoned error
	// before is what was there when the case began; quiet is the same, with what fills zones.
	before, quiet predicate.Holdings

	// capacityTracked says that the scheduler asks for room before it chooses a node.
	capacityTracked bool

	classes  []*storagev1.StorageClass
	fillers  map[string][]string // zone name to the ids of the volumes that fill it
	tornDown bool
}

// begin prepares a case. What it cannot prepare is no verdict on the driver.
func begin(ctx context.Context, t *Target, id string) (*scenario, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	config := rest.CopyConfig(t.REST)
	config.QPS = -1 // the waits set their own pace
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("preparing a client: %w", err)
	}
	s := &scenario{
		target:  t,
		kube:    kube,
		dialer:  dial.Dialer{REST: config, Kube: kube, Image: t.WorkloadImage},
		fillers: map[string][]string{},
	}
	if s.driver, err = s.connect(ctx); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, id); err != nil {
		return nil, errors.Join(err, s.driver.close())
	}
	return s, nil
}

// prepare takes stock and, when all went well, makes the case's namespace.
func (s *scenario) prepare(ctx context.Context, id string) (err error) {
	s.all, s.unzoned = s.discoverZones(ctx)
	if s.before, err = s.holdings(ctx); err != nil {
		return err
	}
	s.quiet = s.before
	if s.capacityTracked, err = s.tracksCapacity(ctx); err != nil {
		return err
	}
	namespace := &corev1.Namespace{}
	namespace.GenerateName = "csi-topo-" + strings.ReplaceAll(id, "_", "-") + "-"
	if err := s.resources().Create(ctx, namespace); err != nil {
		return fmt.Errorf("creating the case's namespace: %w", err)
	}
	s.namespace = namespace.Name
	return nil
}

func (s *scenario) resources() *resources.Resources { return s.target.Client.Resources(s.namespace) }

func (s *scenario) discoverZones(ctx context.Context) ([]zone, error) {
	var nodes corev1.NodeList
	if err := s.resources().List(ctx, &nodes); err != nil {
		return nil, fmt.Errorf("listing nodes: %w", err)
	}
	var registered storagev1.CSINodeList
	if err := s.resources().List(ctx, &registered); err != nil {
		return nil, fmt.Errorf("listing CSINodes: %w", err)
	}
	return zonesOf(s.target, nodes.Items, registered.Items)
}

// tracksCapacity reads the driver's CSIDriver object; a driver without one is not tracked.
func (s *scenario) tracksCapacity(ctx context.Context) (bool, error) {
	driver, err := s.kube.StorageV1().CSIDrivers().Get(ctx, s.target.Driver, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the driver's CSIDriver: %w", err)
	}
	return driver.Spec.StorageCapacity != nil && *driver.Spec.StorageCapacity, nil
}

// socketsOf returns the sockets of the running pods that the selector finds, by node.
func (s *scenario) socketsOf(ctx context.Context, at PodSocket) (map[string]dial.Socket, error) {
	var pods corev1.PodList
	if err := s.target.Client.Resources(at.Namespace).List(ctx, &pods,
		resources.WithLabelSelector(at.Selector), resources.WithFieldSelector("status.phase=Running")); err != nil {
		return nil, fmt.Errorf("finding the driver's pods: %w", err)
	}
	sockets := map[string]dial.Socket{}
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil {
			sockets[pod.Spec.NodeName] = dial.Socket{Namespace: at.Namespace, Pod: pod.Name, Volume: at.Volume, Path: at.Path}
		}
	}
	if len(sockets) == 0 {
		return nil, fmt.Errorf("no running pod of the driver in namespace %s with labels %s: install the driver or correct the selector",
			at.Namespace, at.Selector)
	}
	return sockets, nil
}

// connect asks the controller, any of its pods or, where each has volumes of its own,
// all of them, for its capabilities.
func (s *scenario) connect(ctx context.Context) (*plugins, error) {
	sockets, err := s.socketsOf(ctx, s.target.Controller)
	if err != nil {
		return nil, err
	}
	connected := &plugins{byNode: map[string]*plugin{}, perNode: s.target.ControllerPerNode}
	for _, node := range slices.Sorted(maps.Keys(sockets)) {
		if connected.byNode[node], err = connectPlugin(ctx, s.dialer, sockets[node], s.target.Timeouts); err != nil {
			delete(connected.byNode, node)
			return nil, errors.Join(err, connected.close())
		}
		if !connected.perNode {
			break
		}
	}
	return connected, nil
}
