// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// withSecrets lists the calls, other than CreateVolume, for which a profile may name secrets.
var withSecrets = []string{
	"DeleteVolume", "ControllerPublishVolume", "ControllerUnpublishVolume", "ValidateVolumeCapabilities", "ControllerExpandVolume", "ControllerModifyVolume",
	"CreateSnapshot", "DeleteSnapshot", "ListSnapshots", "NodeStageVolume", "NodePublishVolume", "NodeExpandVolume",
}

// Advice suggests what to check before the driver is blamed for a refused call: permissions that its process lacks on
// this machine, or secrets that the profile has for CreateVolume and not for this call. It is empty if nothing suggests
// either.
func (t *Target) Advice(request proto.Message, err error) string {
	rpc := strings.TrimSuffix(string(request.ProtoReflect().Descriptor().Name()), "Request")
	refused := status.Convert(err)
	text := strings.ToLower(refused.Message())
	switch {
	case err == nil:
	case strings.HasPrefix(rpc, "Node") && (strings.Contains(text, "permission denied") || strings.Contains(text, "operation not permitted")):
		return "The machine may be the cause: the process of the node plugin needs the privileges that its container has in a cluster, such as CAP_SYS_ADMIN to mount, and CAP_SYS_RESOURCE to grow a file system in use"
	case t.lacksSecrets(rpc, request) && slices.Contains([]codes.Code{codes.InvalidArgument, codes.PermissionDenied, codes.Unauthenticated, codes.Internal, codes.Unknown}, refused.Code()):
		return "The profile has secrets for CreateVolume, and none for " + rpc + ": if that call needs them too, set secrets." + strings.ToLower(rpc[:1]) + rpc[1:] + " in the profile"
	}
	return ""
}

// lacksSecrets reports whether the call has no secrets, though the profile might name some and has them for CreateVolume.
func (t *Target) lacksSecrets(rpc string, request proto.Message) bool {
	asking, may := request.(interface{ GetSecrets() map[string]string })
	return may && len(asking.GetSecrets()) == 0 && len(t.Profile.Secrets.CreateVolume) > 0 && slices.Contains(withSecrets, rpc)
}

// noteAdvice records the advice on a refused call until the case has ended.
func noteAdvice(d *Driver, request any, err error) {
	if message, is := request.(proto.Message); is && err != nil {
		if advice := d.Target.Advice(message, err); advice != "" {
			d.advice.Store(describe.Status(err), advice)
		}
	}
}

// addAdvice adds the advice on the answers that a finding quotes to the finding.
func addAdvice(d *Driver, end *suite.Mark, mask func(string) string) {
	d.advice.Range(func(answer, advice any) bool {
		if strings.Contains(end.Message, mask(answer.(string))) && !strings.Contains(end.Message, advice.(string)) {
			end.Message += "\n" + advice.(string)
		}
		return true
	})
}
