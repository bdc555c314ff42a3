// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/wait"
)

const nodesReadyWithin = 3 * time.Minute

// WaitForNodes waits until want nodes are ready. Its error lists the nodes that are not, with reasons.
func WaitForNodes(ctx context.Context, client klient.Client, want int) error {
	var last error
	err := wait.For(func(ctx context.Context) (bool, error) {
		list := corev1.NodeList{}
		if err := client.Resources().List(ctx, &list); err != nil {
			last = fmt.Errorf("listing nodes: %w", err)
			return false, nil // The API server may still be starting.
		}
		last = nodesReady(list.Items, want)
		return last == nil, nil
	}, wait.WithContext(ctx), wait.WithTimeout(nodesReadyWithin), wait.WithInterval(poll), wait.WithImmediate())
	if err != nil {
		return fmt.Errorf("waiting for nodes to be ready: %w: %w", err, last)
	}
	return nil
}

// nodesReady returns nil if there are want nodes and each is ready.
func nodesReady(list []corev1.Node, want int) error {
	var problems []string
	for _, node := range list {
		if problem := notReady(node); problem != "" {
			problems = append(problems, node.Name+": "+problem)
		}
	}
	slices.Sort(problems)
	if len(list) != want {
		problems = append(problems, fmt.Sprintf("want %d nodes, found %d", want, len(list)))
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("not ready: %s", strings.Join(problems, "; "))
}

func notReady(node corev1.Node) string {
	for _, condition := range node.Status.Conditions {
		if condition.Type != corev1.NodeReady {
			continue
		}
		if condition.Status == corev1.ConditionTrue {
			return ""
		}
		return condition.Message
	}
	return "it has not reported anything yet"
}
