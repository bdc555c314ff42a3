// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/rest"

	"github.com/csi-topo/csi-topo/clusters/existing"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// DefaultParallel is the number of cases that two cores can run concurrently.
const DefaultParallel = 6

// Options select the cluster, the driver, and the cases to run.
type Options struct {
	// Kubeconfig is the file whose current context is an existing cluster with the driver installed, which others may use.
	Kubeconfig string
	// InCluster uses the cluster of the pod that this runs in, with the pod's service account, instead of a Kubeconfig.
	InCluster bool
	// WorkloadImage is the image of the cases' pods on that cluster: one with a shell, sleep and df in /bin, and
	// /csi-topo-sidecar, that the nodes can pull.
	WorkloadImage string
	// Create creates a separate cluster for the run instead, once the filters have selected some cases. The caller removes
	// it after the run.
	Create func(context.Context) (Cluster, error)
	// Profile is the file in which the vendor describes the driver, or the name of a profile of the suite. It must have
	// the section cluster.
	Profile string
	// Cases selects cases, and sets the location of the report.
	Cases suite.Options
	// Parallel is the number of cases that may run concurrently, if they do not disturb each other; 0 means
	// DefaultParallel.
	Parallel int
	// Slow runs cases that take minutes.
	Slow bool
	// TimeoutScale multiplies every time limit; 0 means 1.
	TimeoutScale float64
	// Rules are injected into the recording proxies in front of the driver.
	Rules harness.Rules
}

// Cluster is a cluster with the driver installed.
type Cluster struct {
	// REST is the configuration for its API server.
	REST *rest.Config
	// WorkloadImage is the image of the cases' pods.
	WorkloadImage string
	// Own says that only the run uses the cluster.
	Own bool
	// Machines stops and starts its nodes; nil if that is not possible.
	Machines harness.Machines
}

// Validate returns an error for invalid options, before anything is changed. It creates the report directory if it does not
// exist.
func (o Options) Validate() error {
	if err := session.Validate(o.Cases); err != nil {
		return err
	}
	switch {
	case o.TimeoutScale < 0:
		return fmt.Errorf("the time limits are multiplied by %v: want a factor above 0", o.TimeoutScale)
	case o.Parallel < 0:
		return fmt.Errorf("%d concurrent cases are requested: want at least 1, or 0 for %d", o.Parallel, DefaultParallel)
	case o.Create != nil:
		return nil
	case o.Kubeconfig != "" && o.InCluster:
		return errors.New("two clusters are selected, the kubeconfig's and this pod's: want one of them")
	case o.Kubeconfig == "" && !o.InCluster:
		return errors.New("no cluster is selected: want the kubeconfig of one where the driver is installed, or to run in a pod of it")
	case o.WorkloadImage == "":
		return errors.New("a cluster that others use needs a workload image: the image that the cases' pods run, which the cluster can pull")
	default:
		return nil
	}
}

// described returns the profile. It returns an error if the section cluster is missing.
func (o Options) described() (profile.Profile, error) {
	described, err := profile.Load(o.Profile)
	if err != nil {
		return described, err
	}
	return described, HasSection(o.Profile, described)
}

// HasSection returns an error if a profile, with that file or name, has no section for the cluster tier.
func HasSection(name string, described profile.Profile) error {
	if described.Cluster == nil {
		return fmt.Errorf("the profile %s has no cluster section: want cluster.topology.zone in it, the driver's topology key for zones", name)
	}
	return nil
}

// Connect connects to the existing cluster, and returns its configuration once the API server has answered.
func (o Options) Connect(ctx context.Context) (*rest.Config, error) {
	if o.InCluster {
		return existing.ConnectInCluster(ctx)
	}
	return existing.Connect(ctx, o.Kubeconfig)
}

func (o Options) existing(ctx context.Context) (Cluster, error) {
	config, err := o.Connect(ctx)
	return Cluster{REST: config, WorkloadImage: o.WorkloadImage}, err
}
