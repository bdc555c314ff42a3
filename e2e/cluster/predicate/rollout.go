// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
)

// RolledOut requires all pods of the Deployment to be available and of its newest revision, with no others left.
func RolledOut(deployment *appsv1.Deployment) error {
	status, replicas := deployment.Status, *deployment.Spec.Replicas
	if status.ObservedGeneration < deployment.Generation || status.UpdatedReplicas != replicas || status.AvailableReplicas != replicas || status.Replicas != replicas {
		return fmt.Errorf("deployment %s: %d of %d pods are of the new revision, %d available, %d in all",
			deployment.Name, status.UpdatedReplicas, replicas, status.AvailableReplicas, status.Replicas)
	}
	return nil
}
