// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

// Log is the log of a container or a kubelet.
type Log struct {
	// Of names the writer.
	Of string
	// Platform says that the writer is not one of the driver's own containers.
	Platform bool
	Text     string
}

// HidesSecrets requires none of the secrets in the log: the map has their values by purpose, and none is a substring of
// another. A value is found verbatim, quoted and encoded in base64, and no message shows it.
func (l Log) HidesSecrets(secrets map[string]string) error {
	var all, found []string
	masks := map[string]*foreign.Mask{}
	for use, value := range secrets {
		forms := append(inBase64(value), value)
		all = append(all, forms...)
		masks[use] = foreign.NewMask(forms, "")
	}
	hidden := foreign.NewMask(all, "")
	if hidden.Text(l.Text) == l.Text {
		return nil
	}
	for _, use := range slices.Sorted(maps.Keys(secrets)) {
		var lines []string
		for line := range strings.Lines(l.Text) {
			if masks[use].Text(line) != line {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			first := strings.TrimSpace(lines[0])
			found = append(found, fmt.Sprintf("that for %s in %d, of which the first %s: %s", use, len(lines), namedCall(first), hiddenPart(first, hidden.Text(first))))
		}
	}
	return finalMismatch("lines with secrets in the log of "+l.Of, "none", strings.Join(found, "\n         "))
}

// hiddenPart returns the part of a line around its first hidden value.
func hiddenPart(line, hidden string) string {
	const around = 200 // bytes on each side of its beginning
	at := 0
	for at < min(len(line), len(hidden)) && line[at] == hidden[at] {
		at++
	}
	first, last := max(0, at-around), min(len(hidden), at+around)
	part := strings.ToValidUTF8(hidden[first:last], "")
	if first > 0 {
		part = "…" + part
	}
	if last < len(hidden) {
		part += "…"
	}
	return part
}

// inBase64 returns the forms of the value in base64, including as a part of a longer text: depending on its offset, all but
// its ends is encoded in one of three ways.
func inBase64(value string) []string {
	const bits, perCharacter = 8, 6
	var all []string
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			encoded := encoding.EncodeToString(append(make([]byte, before), value...))
			first, last := (before*bits+perCharacter-1)/perCharacter, (before+len(value))*bits/perCharacter
			all = append(all, encoded[first:last])
		}
	}
	return all
}

// namedCall returns the CSI call that a line names.
func namedCall(line string) string {
	var named string
	for _, service := range []grpc.ServiceDesc{
		csi.Identity_ServiceDesc, csi.Controller_ServiceDesc, csi.GroupController_ServiceDesc, csi.SnapshotMetadata_ServiceDesc, csi.Node_ServiceDesc,
	} {
		for _, method := range service.Methods {
			// One name may be a prefix of another.
			if strings.Contains(line, method.MethodName) && len(method.MethodName) > len(named) {
				named = method.MethodName
			}
		}
	}
	if named == "" {
		return "names no call"
	}
	return "names " + named
}

// IsSidecar reports whether the container is one of Kubernetes' sidecars for drivers, by its name or its image's name.
func IsSidecar(container corev1.Container) bool {
	sidecar := regexp.MustCompile(`(^|[/-])((csi|external)-(provisioner|attacher|resizer|snapshotter|snapshot-metadata|health-monitor)|driver-registrar|liveness-?probe)([:@-]|$)`)
	return sidecar.MatchString(container.Name) || sidecar.MatchString(container.Image)
}

// IsOfSuite reports whether the container is a recording proxy, by its name or its image's name.
func IsOfSuite(container corev1.Container) bool {
	proxy := regexp.MustCompile(`(^|/)csi-topo-(proxy|workload)([:@]|$)`)
	return proxy.MatchString(container.Name) || proxy.MatchString(container.Image)
}
