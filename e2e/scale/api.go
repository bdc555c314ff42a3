// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// api is an API server with its etcd.
type api struct {
	kubernetes.Interface

	// kubeconfig is the path of a kubeconfig of an administrator.
	kubeconfig string
	plane      *envtest.ControlPlane
}

// startAPI starts an API server whose data are below the directory.
func startAPI(programs nodeimage.ControlPlane, dir string) (*api, error) {
	const patience = 2 * time.Minute // the machine may have other work
	plane := &envtest.ControlPlane{Etcd: &envtest.Etcd{Path: programs.Etcd, DataDir: filepath.Join(dir, "etcd"), StartTimeout: patience}}
	server := plane.GetAPIServer()
	server.Path, server.StartTimeout = programs.APIServer, patience
	// Nothing here has a service account, no controller removes the taint of a new node, and no request of the experiment
	// should be throttled.
	server.Configure().Append("disable-admission-plugins", "ServiceAccount", "TaintNodesByCondition").Append("enable-priority-and-fairness", "false")
	if err := os.MkdirAll(plane.Etcd.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the directory of etcd: %w", err)
	}
	if err := plane.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting etcd and kube-apiserver: %w", err), plane.Stop())
	}
	a := &api{plane: plane, kubeconfig: filepath.Join(dir, "kubeconfig")}
	if err := a.connect(); err != nil {
		return nil, errors.Join(err, plane.Stop())
	}
	return a, nil
}

func (a *api) connect() error {
	user, err := a.plane.AddUser(envtest.User{Name: "scale", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		return fmt.Errorf("creating an administrator: %w", err)
	}
	content, err := user.KubeConfig()
	if err != nil {
		return fmt.Errorf("making a kubeconfig: %w", err)
	}
	if err := os.WriteFile(a.kubeconfig, content, 0o600); err != nil {
		return fmt.Errorf("writing the kubeconfig: %w", err)
	}
	config := user.Config()
	config.QPS = -1 // the experiment's writes must not wait
	if a.Interface, err = kubernetes.NewForConfig(config); err != nil {
		return fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return nil
}

// stop ends both programs.
func (a *api) stop() error { return a.plane.Stop() }
