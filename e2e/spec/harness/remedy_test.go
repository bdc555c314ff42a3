// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestRemedy(t *testing.T) {
	for _, c := range []struct {
		code          codes.Code
		text          string
		unconstrained bool
		want          string
	}{
		{code: codes.InvalidArgument, text: "Too many topology requirements", want: "name a node endpoint in each topology segment"},
		{code: codes.InvalidArgument, text: "no topology", unconstrained: true, want: "VOLUME_ACCESSIBILITY_CONSTRAINTS"},
		{code: codes.InvalidArgument, text: "server is a required parameter", want: "set parameters of the first"},
		{code: codes.NotFound, text: "no pool gold", want: "set parameters of the first"},
		{code: codes.InvalidArgument, text: "no password", want: "set secrets.createVolume"},
		{code: codes.Unauthenticated, text: "who are you", want: "set secrets.createVolume"},
		{code: codes.InvalidArgument, text: "Volume capabilities not supported", want: "set accessMode"},
		{code: codes.InvalidArgument, text: "unknown fsType", want: "set fsType"},
		{code: codes.InvalidArgument, text: "volume name must begin with pvc-", want: "set namePrefix"},
		{code: codes.OutOfRange, text: "too small", want: "set volumeBytes"},
		{code: codes.InvalidArgument, text: "size is no multiple of 1 GiB", want: "set volumeBytes"},
		{code: codes.InvalidArgument, text: "no", want: "set parameters of the first"},
		{code: codes.Internal, text: "Errors encountered: []", want: "look at the driver's log"},
		{code: codes.Unimplemented, text: "", want: "GEN-14"},
	} {
		t.Run(c.code.String()+" "+c.text, func(t *testing.T) {
			if got := remedy(status.Error(c.code, c.text), !c.unconstrained); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestSentWithIsTheWholeRequest checks that the text contains the whole request except the values of secrets.
func TestSentWithIsTheWholeRequest(t *testing.T) {
	got := sentWith(&csi.CreateVolumeRequest{
		Name: "volume-1", CapacityRange: &csi.CapacityRange{RequiredBytes: 42}, Parameters: map[string]string{"type": "ssd"}, Secrets: map[string]string{"token": "hidden"},
		VolumeCapabilities: []*csi.VolumeCapability{{AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}}},
		AccessibilityRequirements: &csi.TopologyRequirement{
			Requisite: []*csi.Topology{{Segments: map[string]string{"zone": "a"}}}, Preferred: []*csi.Topology{{Segments: map[string]string{"zone": "b"}}},
		},
	})
	for _, want := range []string{"volume-1", "42", "type=ssd", "token", "block", "requisite {zone=a}", "preferred {zone=b}"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
	if strings.Contains(got, "hidden") {
		t.Errorf("%q has the secret", got)
	}
}
