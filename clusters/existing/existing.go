// SPDX-License-Identifier: Apache-2.0

// Package existing connects to an existing cluster, by its kubeconfig or from a pod in it. It never changes the cluster.
package existing

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// answerWithin limits how long the API server may take to report its version.
const answerWithin = 10 * time.Second

// Connect returns the client configuration of the current context of a kubeconfig, after its API server has answered.
func Connect(ctx context.Context, kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s cannot be used: %w", kubeconfig, err)
	}
	return config, answers(ctx, config, "kubeconfig "+kubeconfig)
}

// ConnectInCluster returns the client configuration of the pod in which it runs, with the permissions of its service
// account, after the API server has answered.
func ConnectInCluster(ctx context.Context) (*rest.Config, error) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, fmt.Errorf("this does not run in a pod with a service account, which is needed to reach the cluster: run it in one, or name the kubeconfig of a cluster: %w", err)
	}
	return config, answers(ctx, config, "the pod's environment")
}

// answers returns nil if the API server reports its version in time. source names the API server in errors.
func answers(ctx context.Context, config *rest.Config, source string) error {
	probe := rest.CopyConfig(config)
	probe.Timeout = answerWithin
	client, err := discovery.NewDiscoveryClientForConfig(probe)
	if err != nil {
		return fmt.Errorf("%s cannot be used: %w", source, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := client.ServerVersion(); err != nil {
		return fmt.Errorf("no cluster answers at %s, which %s names: start it, or name another: %w", config.Host, source, err)
	}
	return nil
}
