// Package existing reaches a cluster that somebody else made, by its kubeconfig. It
// never changes the cluster itself.
package existing

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// answerWithin is how long the API server may take to say its version.
const answerWithin = 10 * time.Second

// Connect returns the client configuration of the current context of a kubeconfig, whose
// API server has answered.
func Connect(ctx context.Context, kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s cannot be used: %w", kubeconfig, err)
	}
	probe := rest.CopyConfig(config)
	probe.Timeout = answerWithin
	client, err := discovery.NewDiscoveryClientForConfig(probe)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s cannot be used: %w", kubeconfig, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := client.ServerVersion(); err != nil {
		return nil, fmt.Errorf("no cluster answers at %s, which kubeconfig %s names: start it, or name another: %w", config.Host, kubeconfig, err)
	}
	return config, nil
}
