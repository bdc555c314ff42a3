// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/statuses"
)

// Preflight creates one plain volume and deletes it, before the first case. The error says in a sentence why no case could
// tell anything: what the profile lacks, or that the driver does not answer.
func (s *Suite) Preflight(ctx context.Context) error {
	return s.Ask(ctx, "preflight", func(ctx context.Context, d *Driver) error {
		if !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
			return nil
		}
		begin := time.Now()
		request, err := createPlain(ctx, d)
		s.volumeTook = time.Since(begin)
		var none *attempt.NoAnswer
		switch {
		case err == nil || status.Code(err) == codes.ResourceExhausted:
			return nil
		case errors.As(err, &none):
			return fmt.Errorf("no volume can be created: %s", none.Text)
		}
		fix := remedy(status.Code(err))
		if statuses.Untaken(err) {
			fix = cmp.Or(createsOnly(ctx, d), fix)
		}
		return fmt.Errorf("the driver refuses a plain volume, without which no case can tell anything: CreateVolume with %s answered %s; %s",
			sentWith(request), describe.Status(err), fix)
	})
}

// VolumeTook returns how long the creation of the plain volume took, with its repetitions, or 0 where none was created.
func (s *Suite) VolumeTook() time.Duration {
	return s.volumeTook
}

// createPlain asks for a volume of the profile's plain kind, as Kubernetes does: in any of the segments.
func createPlain(ctx context.Context, d *Driver) (*csi.CreateVolumeRequest, error) {
	request := plainRequest(d)
	_, err := d.Controller.CreateVolume(ctx, request)
	return request, err
}

func plainRequest(d *Driver) *csi.CreateVolumeRequest {
	asked := d.Volume(1)
	asked.Requisite, asked.Preferred = d.Segments(), d.Segments()
	return d.CreateVolumeRequest(asked)
}

// createsOnly says which field of the profile to set if the driver, which refused the plain volume, creates one with another
// capability.
func createsOnly(ctx context.Context, d *Driver) string {
	const shared = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	for _, other := range []struct {
		applies    bool
		capability *csi.VolumeCapability
		fix        string
	}{
		{d.Profile().HasMount(), d.Block(), "it creates raw block volumes: set mount: false and block: true in the profile"},
		{d.Profile().Plain().Mode() != shared, messages.As(d.Capability(), shared), "it creates volumes of MULTI_NODE_MULTI_WRITER: set accessMode of the first of the profile's volumes to that"},
	} {
		if !other.applies {
			continue
		}
		request := plainRequest(d)
		request.VolumeCapabilities = []*csi.VolumeCapability{other.capability}
		if _, err := d.Controller.CreateVolume(ctx, request); err == nil {
			return other.fix
		}
	}
	return ""
}

// sentWith is what the profile has put into a request. Of secrets it has the names only.
func sentWith(r *csi.CreateVolumeRequest) string {
	return fmt.Sprintf("volume_capabilities %s, required_bytes %d, %s and %s", describe.Capabilities(r.GetVolumeCapabilities()), r.GetCapacityRange().GetRequiredBytes(),
		named("parameters", r.GetParameters(), true), named("secrets", r.GetSecrets(), false))
}

func named(what string, values map[string]string, shown bool) string {
	if len(values) == 0 {
		return "no " + what
	}
	var found []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if shown {
			key += "=" + values[key]
		}
		found = append(found, key)
	}
	return what + " " + strings.Join(found, ", ")
}

// remedy says which field of the profile to set after a refusal with the code.
func remedy(code codes.Code) string {
	switch code {
	case codes.OutOfRange:
		return "set volumeBytes in the profile to a size that the driver has"
	case codes.PermissionDenied, codes.Unauthenticated:
		return "set secrets.createVolume in the profile"
	case codes.Unimplemented:
		return "ControllerGetCapabilities lists CREATE_DELETE_VOLUME, which a driver without CreateVolume must not (GEN-14)"
	default:
		return "set parameters of the first of the profile's volumes to those of a StorageClass that works, secrets.createVolume to the secrets that it names, accessMode to one that such volumes have, and volumeBytes to a size that the driver has"
	}
}
