package harness

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/e2e/cluster/dial"
)

// AskController hands ask a connection to the driver's controller, which ends with it.
// It is for what a report says of the driver; cases have a connection of their own.
func AskController(ctx context.Context, t *Target, ask func(grpc.ClientConnInterface)) error {
	kube, err := kubernetes.NewForConfig(t.REST)
	if err != nil {
		return fmt.Errorf("preparing a client: %w", err)
	}
	s := &Scenario{Target: t, kube: kube, dialer: dial.Dialer{REST: t.REST, Kube: kube, Image: t.WorkloadImage}}
	controller, err := s.connect(ctx)
	if err != nil || len(controller.byNode) == 0 {
		return err
	}
	ask(controller.first().conn)
	return controller.close()
}
