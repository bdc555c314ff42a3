// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	specLine    = regexp.MustCompile(`^CSI spec\.md (v[0-9.]+) lines? (\d+)`)
	specVersion = regexp.MustCompile(`CSI spec\.md (v[0-9.]+)`)
	apiTypes    = regexp.MustCompile(`^k8s\.io/api types\.go:(\d+)(?:-(\d+))?`)
	issue       = regexp.MustCompile(`kubernetes/kubernetes#(\d+)`)
	enhancement = regexp.MustCompile(`KEP-(\d+)`)
	csiPage     = regexp.MustCompile(`^kubernetes-csi/docs ([a-z-]+)\.md`)
	website     = regexp.MustCompile(`^k/website ([a-z/-]+)`)
	repository  = regexp.MustCompile(`^(Kubernetes|external-[a-z]+|csi-lib-utils|sig-storage-lib-external-provisioner)\b(?: v?([0-9.]+))?`)
)

// documents returns the pages of Kubernetes' documentation that sources name by their files.
func documents() map[string]string {
	return map[string]string{
		"topology-spread-constraints.md": "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/",
		"storage-capacity.md":            "https://kubernetes.io/docs/concepts/storage/storage-capacity/",
		"storage-classes.md":             "https://kubernetes.io/docs/concepts/storage/storage-classes/",
		"persistent-volumes.md":          "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
		"volume-pvc-datasource":          "https://kubernetes.io/docs/concepts/storage/volume-pvc-datasource/",
	}
}

// Link returns the address of the requirement's source: the line of the specification, or the first page, issue,
// enhancement or repository in Source. It is empty if none of them has an address.
func (r Requirement) Link() string {
	const spec = "https://github.com/container-storage-interface/spec/blob/"
	if at := specLine.FindStringSubmatch(r.Source); at != nil {
		return fmt.Sprintf("%s%s/spec.md?plain=1#L%s", spec, at[1], at[2])
	}
	if at := apiTypes.FindStringSubmatch(r.Source); at != nil {
		return "https://github.com/kubernetes/api/blob/v0.36.3/core/v1/types.go#L" + at[1]
	}
	for name, address := range documents() {
		if strings.HasPrefix(r.Source, name) || strings.HasPrefix(r.Source, "k/website") && strings.Contains(r.Source, name) {
			return address
		}
	}
	if at := csiPage.FindStringSubmatch(r.Source); at != nil {
		return "https://kubernetes-csi.github.io/docs/" + at[1] + ".html"
	}
	if at := website.FindStringSubmatch(r.Source); at != nil {
		return "https://kubernetes.io/docs/" + at[1] + "/"
	}
	if at := repository.FindStringSubmatch(r.Source); at != nil && (at[1] != "Kubernetes" || at[2] != "") {
		return treeOf(at[1], at[2])
	}
	if at := issue.FindStringSubmatch(r.Source); at != nil {
		return "https://github.com/kubernetes/kubernetes/issues/" + at[1]
	}
	if at := enhancement.FindStringSubmatch(r.Source); at != nil {
		return "https://kep.k8s.io/" + at[1]
	}
	if at := specVersion.FindStringSubmatch(r.Source); at != nil {
		return spec + at[1] + "/spec.md"
	}
	return ""
}

// treeOf returns the address of a repository of Kubernetes in sources, at the version, or at its default branch if version
// is empty.
func treeOf(name, version string) string {
	address := "https://github.com/kubernetes-csi/" + name
	switch name {
	case "Kubernetes":
		address = "https://github.com/kubernetes/kubernetes"
	case "sig-storage-lib-external-provisioner":
		address = "https://github.com/kubernetes-sigs/" + name
	}
	if version != "" {
		address += "/tree/v" + version
	}
	return address
}
