// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type (
	deletion = csi.DeleteVolumeRequest
	deleted  = csi.DeleteVolumeResponse
	plugin   = csi.GetPluginInfoRequest
	info     = csi.GetPluginInfoResponse
)

func TestTypedFaults(t *testing.T) {
	all := func(*deletion) bool { return true }
	saying := func(name string) Fault { return Answering(func(_ *plugin, i *info) { i.Name = name }) }
	for _, c := range []struct {
		name   string
		given  Fault
		code   codes.Code // of DeleteVolume without a volume_id, which is INVALID_ARGUMENT
		plugin string     // the name in the driver's answer, if it differs from its own
	}{
		{"none", Fault{}, codes.InvalidArgument, ""},
		{"asks for another volume", Asking(func(r *deletion) { r.VolumeId = "no-such-volume" }), codes.OK, ""},
		{"answers otherwise", saying("other"), codes.InvalidArgument, "other"},
		{"answers no refusal otherwise", Answering(func(*deletion, *deleted) { panic("it was refused") }), codes.InvalidArgument, ""},
		{"ends otherwise", Ending(func(_ *deletion, response *deleted, err error) (*deleted, error) {
			if response != nil || err == nil {
				panic("it was not refused")
			}
			return &deleted{}, nil
		}), codes.OK, ""},
		{"refuses some", RefusingSome(codes.Aborted, "no", all), codes.Aborted, ""},
		{"refuses no others", RefusingSome(codes.Aborted, "no", func(*deletion) bool { return false }), codes.InvalidArgument, ""},
		{"checks", Checking(func(*deletion) error { return status.Error(codes.Aborted, "no") }), codes.Aborted, ""},
		{"says another code", Recoding[*deletion](codes.InvalidArgument, codes.Internal), codes.Internal, ""},
		{"says another code instead of another", Recoding[*deletion](codes.NotFound, codes.Internal), codes.InvalidArgument, ""},
		{"says OK", Recoding[*deletion](codes.InvalidArgument, codes.OK), codes.OK, ""},
		{"says another code where it concerns it", Where(all, Recoding[*deletion](codes.InvalidArgument, codes.Internal)), codes.Internal, ""},
		{"notes what is OK", OnOK(func(*deletion) { panic("it was refused") }), codes.InvalidArgument, ""},
		{"does something else", InsteadOf(codes.InvalidArgument, func(ctx context.Context, right Right, r *deletion, _ error) (*deleted, error) {
			r.VolumeId = "no-such-volume"
			return right.DeleteVolume(ctx, r)
		}), codes.OK, ""},
		{"refuses all", RefusingAll[*deletion](codes.Aborted, "no"), codes.Aborted, ""},
		{"does nothing", Instead(func(*deletion) *deleted { return &deleted{} }), codes.OK, ""},
		{"tries another request", Retrying(codes.InvalidArgument, func(r *deletion) { r.VolumeId = "no-such-volume" }), codes.OK, ""},
		{"tries no other request", Retrying(codes.NotFound, func(*deletion) { panic("it was refused otherwise") }), codes.InvalidArgument, ""},
		{"some requests concern it", Where(all, RefusingSome(codes.Aborted, "no", all)), codes.Aborted, ""},
		{"none concerns it", Where(func(*deletion) bool { return false }, RefusingSome(codes.Aborted, "no", all)), codes.InvalidArgument, ""},
		{"both", saying("other").And(RefusingSome(codes.Aborted, "no", all)), codes.Aborted, "other"},
		{"both over others", Asking(func(*deletion) {}).Over(RefusingSome(codes.Aborted, "no", all)).And(Asking(func(*plugin) {}).Over(saying("other"))), codes.Aborted, "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := started(t, Driver{Fault: c.given})
			_, err := csi.NewControllerClient(target.Controller).DeleteVolume(t.Context(), &deletion{})
			if status.Code(err) != c.code {
				t.Errorf("DeleteVolume without volume_id = %v, want %v", err, c.code)
			}
			want := c.plugin
			if want == "" {
				want = "hostpath.topo.csi"
			}
			if said, err := csi.NewIdentityClient(target.Controller).GetPluginInfo(t.Context(), &plugin{}); err != nil || said.GetName() != want {
				t.Errorf("GetPluginInfo = %v, %v, want the name %s", said, err, want)
			}
		})
	}
}
