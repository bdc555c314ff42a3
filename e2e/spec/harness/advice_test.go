// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestAdvice(t *testing.T) {
	target := &Target{}
	target.Profile.Secrets.CreateVolume = map[string]string{"key": "value"}
	for _, c := range []struct {
		name    string
		request proto.Message
		err     error
		want    string
	}{
		{"the machine", &csi.NodeExpandVolumeRequest{}, status.Error(codes.Internal, "resize2fs: Permission denied to resize filesystem"), "CAP_SYS_RESOURCE"},
		{"secrets that the profile does not have", &csi.ValidateVolumeCapabilitiesRequest{}, status.Error(codes.Unknown, "no endpoint"), "secrets.validateVolumeCapabilities"},
		{"secrets that the call has", &csi.ValidateVolumeCapabilitiesRequest{Secrets: map[string]string{"key": "value"}}, status.Error(codes.Unknown, "no endpoint"), ""},
		{"a volume that is gone", &csi.ValidateVolumeCapabilitiesRequest{}, status.Error(codes.NotFound, "no volume"), ""},
		{"a call without secrets", &csi.NodeUnpublishVolumeRequest{}, status.Error(codes.Internal, "not mounted"), ""},
		{"OK", &csi.ValidateVolumeCapabilitiesRequest{}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := target.Advice(c.request, c.err)
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want something about %q", got, c.want)
			}
			d, end := &Driver{Target: target}, &suite.Mark{Message: "the volume exists\ngot: UNKNOWN: \"no endpoint\""}
			noteAdvice(d, c.request, c.err)
			addAdvice(d, end, func(text string) string { return text })
			if quoted := status.Code(c.err) == codes.Unknown && c.want != ""; strings.HasSuffix(end.Message, "in the profile") != quoted {
				t.Errorf("the case says %q", end.Message)
			}
		})
	}
}
