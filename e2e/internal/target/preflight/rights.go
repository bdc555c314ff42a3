// SPDX-License-Identifier: Apache-2.0

package preflight

import (
	"context"
	"fmt"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// right is the set of verbs that cases use on one resource, in one namespace or in all present and future ones.
type right struct {
	namespace, group, resource, subresource string
	verbs                                   []string
}

// used returns the rights that the harness uses on the target, with rights to VolumeSnapshots and VolumeGroupSnapshots if
// requested. Without rights to VolumeGroupSnapshots, their cases are skipped.
func used(t *harness.Target, snapshots, groups bool) []right {
	const storage, apps = "storage.k8s.io", "apps"
	all := []right{
		{"", "", "namespaces", "", []string{"create", "delete"}},
		{"", "", "nodes", "", []string{"get", "list"}},
		{"", "", "persistentvolumes", "", []string{"create", "get", "list", "patch", "delete"}},
		{"", storage, "csinodes", "", []string{"get", "list"}},
		{"", storage, "csidrivers", "", []string{"create", "get", "patch", "delete"}},
		{"", storage, "csistoragecapacities", "", []string{"create", "list", "update"}},
		{"", storage, "storageclasses", "", []string{"create", "get", "update", "delete"}},
		{"", storage, "volumeattachments", "", []string{"get", "list", "watch"}},
		{"", "", "pods", "", []string{"create", "get", "list", "watch", "patch", "delete", "deletecollection"}},
		{"", "", "pods", "exec", []string{"create"}},
		{"", "", "persistentvolumeclaims", "", []string{"create", "get", "list", "watch", "patch", "delete", "deletecollection"}},
		{"", "", "events", "", []string{"list"}},
		{"", "", "serviceaccounts", "", []string{"get"}},
		{"", apps, "deployments", "", []string{"create", "get", "patch", "deletecollection"}},
		{"", apps, "statefulsets", "", []string{"create", "get", "list", "patch", "delete", "deletecollection"}},
	}
	for _, socket := range []*harness.PodSocket{t.Controller, t.Node} {
		if socket != nil {
			all = append(all, right{socket.Namespace, "", "pods", "ephemeralcontainers", []string{"update"}})
		}
	}
	if snapshots {
		group := workload.SnapshotVersion().Group
		all = append(all,
			right{"", group, "volumesnapshotclasses", "", []string{"create", "delete"}},
			right{"", group, "volumesnapshots", "", []string{"create", "get", "list", "delete"}},
			right{"", group, "volumesnapshotcontents", "", []string{"get", "list", "patch"}})
	}
	if groups {
		group := workload.GroupSnapshotVersion().Group
		all = append(all,
			right{"", group, "volumegroupsnapshotclasses", "", []string{"create", "delete"}},
			right{"", group, "volumegroupsnapshots", "", []string{"create", "get", "list", "delete"}},
			right{"", group, "volumegroupsnapshotcontents", "", []string{"get", "list"}})
	}
	if len(t.MutableParameters) > 0 {
		all = append(all, right{"", storage, "volumeattributesclasses", "", []string{"create", "delete"}})
	}
	if t.Disturb.Nodes {
		all = append(all,
			right{"", "", "nodes", "", []string{"create", "patch", "update", "delete"}},
			right{"", storage, "csinodes", "", []string{"create", "update", "delete"}})
	}
	return all
}

// rights returns an error that names every right that is missing.
func rights(ctx context.Context, kube kubernetes.Interface, t *harness.Target) error {
	snapshots, err := needs.Serves(kube.Discovery(), workload.SnapshotVersion())
	if err != nil {
		return err
	}
	var missing []string
	for _, needed := range used(t, snapshots, false) {
		var refused []string
		for _, verb := range needed.verbs {
			allowed, err := needed.allowed(ctx, kube, verb)
			if err != nil {
				return err
			}
			if !allowed {
				refused = append(refused, verb)
			}
		}
		if len(refused) > 0 {
			missing = append(missing, needed.say(strings.Join(refused, " or ")))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the user or service account of this run may not: %s; the cases need that: grant it, or run as another", strings.Join(missing, ", "))
	}
	return nil
}

func (r right) allowed(ctx context.Context, kube kubernetes.Interface, verb string) (bool, error) {
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: r.namespace, Verb: verb, Group: r.group, Resource: r.resource, Subresource: r.subresource,
		},
	}}
	answer, err := kube.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("asking whether the user may %s: %w", r.say(verb), err)
	}
	return answer.Status.Allowed, nil
}

// say returns the right in words, such as "create or delete pods".
func (r right) say(verbs string) string {
	said := verbs + " " + r.resource
	if r.subresource != "" {
		said += "/" + r.subresource
	}
	if r.group != "" {
		said += "." + r.group
	}
	if r.namespace != "" {
		said += " in namespace " + r.namespace
	}
	return said
}
