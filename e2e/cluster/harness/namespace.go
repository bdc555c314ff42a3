// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// longestID is the maximum length of a namespace's name before the suffix that makes it unique.
const longestID = 40

func createNamespace(ctx context.Context, s *Scenario) (string, error) {
	id := strings.ReplaceAll(s.id, "_", "-")
	namespace := &corev1.Namespace{}
	namespace.GenerateName = "csi-topo-" + strings.TrimSuffix(id[:min(len(id), longestID)], "-") + "-"
	if err := s.Resources().Create(ctx, namespace); err != nil {
		return "", err
	}
	s.placed.Watch(ctx, namespace.Name)
	// Pods are refused until a controller has created the namespace's service account.
	return namespace.Name, s.Within(ctx, s.Target.Timeouts.Run, func(ctx context.Context) error {
		_, err := s.Kube.CoreV1().ServiceAccounts(namespace.Name).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// CreateNamespace creates another namespace for the case.
func (s *Scenario) CreateNamespace(ctx context.Context) string {
	name, err := createNamespace(ctx, s)
	if name != "" {
		s.others = append(s.others, name)
	}
	s.Need(err, "creating another namespace")
	return name
}
