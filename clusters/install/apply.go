// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/wait"
)

const (
	applyWithin   = time.Minute
	commandWithin = 10 * time.Minute
	fieldOwner    = "csi-topo"
)

// Apply creates or changes objects, in order. A namespace must come before its objects; objects without a namespace go to
// the namespace default, as with kubectl.
func Apply(ctx context.Context, cluster klient.Client, objects []*unstructured.Unstructured) error {
	ctx, cancel := context.WithTimeout(ctx, applyWithin)
	defer cancel()
	to := cluster.Resources().GetControllerRuntimeClient()
	for _, object := range objects {
		if err := apply(ctx, to, object); err != nil {
			return fmt.Errorf("applying %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

func apply(ctx context.Context, to client.Client, object *unstructured.Unstructured) error {
	namespaced, err := isNamespaced(ctx, to, object)
	if err != nil {
		return err
	}
	if namespaced && object.GetNamespace() == "" {
		object.SetNamespace(corev1.NamespaceDefault)
	}
	return to.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(fieldOwner), client.ForceOwnership)
}

// isNamespaced waits until the API server knows the object's kind, which a
// CustomResourceDefinition among the objects before it may define.
func isNamespaced(ctx context.Context, at client.Client, object *unstructured.Unstructured) (namespaced bool, err error) {
	waited := wait.For(func(context.Context) (bool, error) {
		namespaced, err = at.IsObjectNamespaced(object)
		return !meta.IsNoMatchError(err), nil
	}, wait.WithContext(ctx), wait.WithTimeout(applyWithin), wait.WithInterval(poll), wait.WithImmediate())
	if err == nil {
		err = waited
	}
	return namespaced, err
}

// Run runs the driver's command on the cluster of the kubeconfig, with its output in log.
func (d Driver) Run(ctx context.Context, kubeconfig string, log io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	command := exec.CommandContext(ctx, d.Command[0], d.Command[1:]...)
	command.Dir = d.Dir
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	command.Stdout, command.Stderr = log, log
	// Kill a script together with the programs that it runs.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	if err := command.Run(); err != nil {
		return fmt.Errorf("installing driver %s: %s: %w", d.Name, strings.Join(d.Command, " "), err)
	}
	return nil
}
