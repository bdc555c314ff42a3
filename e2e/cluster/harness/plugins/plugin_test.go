// SPDX-License-Identifier: Apache-2.0

package plugins

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// answers is a driver that gives fixed answers.
type answers struct {
	csi.UnimplementedControllerServer
	pages       map[string]*csi.ListVolumesResponse
	capacity    *csi.GetCapacityResponse
	capacityErr error
	deleteErr   error
}

func (a *answers) ListVolumes(_ context.Context, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	return a.pages[r.GetStartingToken()], nil
}

func (a *answers) GetCapacity(context.Context, *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	return a.capacity, a.capacityErr
}

func (a *answers) DeleteVolume(context.Context, *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, a.deleteErr
}

// pluginOf returns a plugin that is connected in memory to the answers.
func pluginOf(t *testing.T, a *answers) *Plugin {
	t.Helper()
	const buffer = 1 << 16
	listener := bufconn.Listen(buffer)
	server := grpc.NewServer()
	csi.RegisterControllerServer(server, a)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///csi.sock",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &Plugin{Conn: conn, timeout: 5 * time.Second}
}

func TestPluginListsEveryPage(t *testing.T) {
	entry := func(id string) *csi.ListVolumesResponse_Entry {
		return &csi.ListVolumesResponse_Entry{Volume: &csi.Volume{VolumeId: id}}
	}
	p := pluginOf(t, &answers{pages: map[string]*csi.ListVolumesResponse{
		"":     {Entries: []*csi.ListVolumesResponse_Entry{entry("v1"), entry("v2")}, NextToken: "next"},
		"next": {Entries: []*csi.ListVolumesResponse_Entry{entry("v3")}},
	}})
	volumes, err := p.volumes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"v1", "v2", "v3"} {
		if volumes[id] == nil {
			t.Errorf("volume %s is missing from %d listed", id, len(volumes))
		}
	}
}

func TestPluginRoom(t *testing.T) {
	tests := []struct {
		name          string
		driver        answers
		free, largest int64
		failed        bool
		mismatch      bool
	}{
		{name: "room and the largest volume", driver: answers{capacity: &csi.GetCapacityResponse{
			AvailableCapacity: 100, MaximumVolumeSize: wrapperspb.Int64(60),
		}}, free: 100, largest: 60},
		{name: "no largest volume", driver: answers{capacity: &csi.GetCapacityResponse{AvailableCapacity: 100}}, free: 100},
		{name: "an error of the driver's", driver: answers{capacityErr: status.Error(codes.Internal, "zone Z2 is full")}, failed: true, mismatch: true},
		{name: "an error of the connection's", driver: answers{capacityErr: status.Error(codes.Unavailable, "gone")}, failed: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			free, largest, err := pluginOf(t, &test.driver).room(t.Context(), nil, predicate.Segment{"zone": "Z2"})
			if free != test.free || largest != test.largest {
				t.Errorf("%d bytes free, at most %d; wanted %d and %d", free, largest, test.free, test.largest)
			}
			if (err != nil) != test.failed || predicate.IsMismatch(err) != test.mismatch {
				t.Errorf("error %v, wanted one: %v, a mismatch: %v", err, test.failed, test.mismatch)
			}
		})
	}
}

func TestPluginDeletesWhatIsGone(t *testing.T) {
	if err := pluginOf(t, &answers{deleteErr: status.Error(codes.NotFound, "no such volume")}).Delete(t.Context(), "v1"); err != nil {
		t.Errorf("deleting a volume that is gone: %v", err)
	}
	if err := pluginOf(t, &answers{deleteErr: status.Error(codes.FailedPrecondition, "published")}).Delete(t.Context(), "v1"); err == nil {
		t.Error("deleting a published volume reported no error")
	}
}
