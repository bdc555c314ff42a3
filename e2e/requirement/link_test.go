// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"strings"
	"testing"
)

func TestLink(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"a line of the specification", "CSI spec.md v1.13.0 line 1134", "https://github.com/container-storage-interface/spec/blob/v1.13.0/spec.md?plain=1#L1134"},
		{"a part of it", "CSI spec.md v1.13.0 TopologyRequirement", "https://github.com/container-storage-interface/spec/blob/v1.13.0/spec.md"},
		{"a page of the documentation", `storage-capacity.md "Rescheduling"; controller.go:896,2035-2058`, "https://kubernetes.io/docs/concepts/storage/storage-capacity/"},
		{"a page by its folder", "k/website concepts/storage/volume-pvc-datasource; external-provisioner v6.3.0 controller.go:1198", "https://kubernetes.io/docs/concepts/storage/volume-pvc-datasource/"},
		{"a page of the sidecars", "kubernetes-csi/docs raw-block.md", "https://kubernetes-csi.github.io/docs/raw-block.html"},
		{"a sidecar", "external-provisioner v6.3.0 provision.go Delete()", "https://github.com/kubernetes-csi/external-provisioner/tree/v6.3.0"},
		{"a sidecar of any version", "external-resizer util/events.go:21-28", "https://github.com/kubernetes-csi/external-resizer"},
		{"a library of the sidecars", "csi-lib-utils v0.25.0 leaderelection", "https://github.com/kubernetes-csi/csi-lib-utils/tree/v0.25.0"},
		{"the library of provisioners", "sig-storage-lib-external-provisioner v13.1.0 metrics.go", "https://github.com/kubernetes-sigs/sig-storage-lib-external-provisioner/tree/v13.1.0"},
		{"a file of Kubernetes", "Kubernetes 1.37.2 validation.go", "https://github.com/kubernetes/kubernetes/tree/v1.37.2"},
		{"a page of the documentation without a file", "k/website concepts/storage/volume-snapshots; external-snapshotter v8.7.0", "https://kubernetes.io/docs/concepts/storage/volume-snapshots/"},
		{"the API", "k8s.io/api types.go:4680-4691", "https://github.com/kubernetes/api/blob/v0.36.3/core/v1/types.go#L4680"},
		{"an issue", "kubernetes/kubernetes#135985 (open)", "https://github.com/kubernetes/kubernetes/issues/135985"},
		{"an enhancement", "KEP-1790 GA 1.34", "https://kep.k8s.io/1790"},
		{"no address", "Kubernetes events", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (Requirement{Source: c.given}).Link(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestClausesOfTheSpecificationHaveALink(t *testing.T) {
	for _, r := range All() {
		if !strings.HasPrefix(r.ID, "K8S-") && !strings.Contains(r.Link(), "/spec.md") {
			t.Errorf("%s: source %q gives the link %q, want one to spec.md", r.ID, r.Source, r.Link())
		}
	}
}
