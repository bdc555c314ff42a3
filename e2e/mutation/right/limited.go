// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func limited() []Driver {
	return []Driver{
		{Name: "no-capacity", Is: "does not report capacity, like most disks of clouds",
			Driver: mutation.Driver{Profile: disks, Fault: withoutCapacity()}},
		{Name: "quota-and-stock-outs",
			Is:     "does not report capacity; the account may have a limited number of volumes in a zone, and a zone is out of stock now and then",
			Driver: mutation.Driver{Profile: disks, Fault: (&account{}).fault().Over(withoutCapacity())}},
		{Name: "one-pool", Is: "has one pool of disks behind all zones: a volume in any of them takes room from all",
			Driver: mutation.Driver{Profile: sharedDisks, Fault: (&onePool{}).fault()}},
		{Name: "one-pool-called-exact",
			Is:     "has one pool of disks behind all zones, and a profile that calls its capacity exact by mistake",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&onePool{}).fault()}},
		{Name: "metadata-beside-volumes",
			Is:     "takes room for its metadata beside each volume, and has a profile that calls its capacity exact by mistake",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.On(besideMetadata)}},
		{
			Name: "thin-pool", Is: "has an overcommitted pool: the available capacity never falls",
			Driver: mutation.Driver{Profile: disks, Options: func(o *embedded.Options) { o.BytesPerSegment = soldBytes }, Fault: mutation.Answering(neverFalls)},
		},
		{Name: "static-maximum",
			Is:     "reports as maximum_volume_size the size limit of a volume, however little is available, like arrays with their largest LUN",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Answering(staticMaximum)}},
		{Name: "available-only", Is: "reports available_capacity, and no largest or smallest size",
			Given:  []Endpoints{All, TwoNodes}, // with two, there is room in zones that the suite does not know
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Answering(availableOnly)}},
		{Name: "kind-in-some-zones",
			Is:     "makes volumes for two zones in Z2 and Z3 only, and volumes for one zone everywhere",
			Driver: mutation.Driver{Profile: pairedDisks, Fault: paired()}},
		{Name: "regional-disks",
			Is:     "has volumes for two zones that are in the two zones of one of two regions, like the regional disks of clouds",
			Given:  []Endpoints{All, OneNode},
			Driver: mutation.Driver{Profile: regionalDisks, Options: twoRegions, Fault: regional()}},
		{Name: "names-both-zones",
			Is:     "makes a volume for two zones only if both are in requisite, like the regional disks of some clouds",
			Driver: mutation.Driver{Profile: disks, Fault: namesBothZones()}},
	}
}

// pairedDisks is a profile with the possible locations of volumes for two zones.
const pairedDisks = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
  segments:
  - {topology.hostpath.topo.csi/region: R1, topology.hostpath.topo.csi/zone: Z2}
  - {topology.hostpath.topo.csi/region: R1, topology.hostpath.topo.csi/zone: Z3}
mutableParameters: {allocation: thick}
block: true
capacity: exact
`

func withoutCapacity() mutation.Fault {
	return mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
}

// thinBytes is the reported capacity of a thin pool in each zone, and soldBytes the bytes that volumes may take before the
// pool refuses. The odd bytes are never used up.
const thinBytes, soldBytes = 1 << 30, 4<<30 + 3<<20

func neverFalls(r *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
	if response.GetAvailableCapacity() == 0 {
		return
	}
	response.AvailableCapacity = thinBytes
	if mutation.ZoneOf(r.GetAccessibleTopology()) == "" {
		response.AvailableCapacity *= int64(len(regionZones()))
	}
}

func staticMaximum(_ *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
	response.MaximumVolumeSize = wrapperspb.Int64(mutation.LargestVolume)
}

func availableOnly(_ *csi.GetCapacityRequest, response *csi.GetCapacityResponse) {
	response.MaximumVolumeSize, response.MinimumVolumeSize = nil, nil
}

// besideMetadata reports less room for each volume than its capacity_bytes leave.
func besideMetadata(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	const metadata = 1 << 20
	response, err := right.GetCapacity(ctx, r)
	if err != nil {
		return nil, err
	}
	volumes, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{})
	if err != nil {
		return nil, err
	}
	zone := mutation.ZoneOf(r.GetAccessibleTopology())
	for _, entry := range volumes.GetEntries() {
		for _, in := range entry.GetVolume().GetAccessibleTopology() {
			if zone == "" || mutation.ZoneOf(in) == zone {
				response.AvailableCapacity = max(0, response.GetAvailableCapacity()-metadata)
			}
		}
	}
	response.MaximumVolumeSize = wrapperspb.Int64(min(response.GetMaximumVolumeSize().GetValue(), response.GetAvailableCapacity()))
	return response, nil
}

func ratesLimited() []Driver {
	const says = "limits the rate of calls: any call is RESOURCE_EXHAUSTED now and then, the code of gRPC for quotas"
	return []Driver{
		{Name: "rate-limited", Is: says, Given: []Endpoints{All, Controller}, Long: true,
			Driver: mutation.Driver{Profile: exactDisks, Fault: rateLimited(12, 1)}},
		{Name: "rate-limited-cloud", Is: "does not report capacity, and " + says + ", several times in a row",
			Given:  []Endpoints{All, OneNode, Controller},
			Driver: mutation.Driver{Profile: disks, Fault: rateLimited(40, 3).Over(withoutCapacity())}},
	}
}

// rateLimited simulates a driver that answers a number of calls, and then refuses a number of calls
// because of the rate.
func rateLimited(within, inARow int64) mutation.Fault {
	var calls atomic.Int64
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if calls.Add(1)%(within+inARow) >= within {
			return nil, status.Error(codes.ResourceExhausted, "rate exceeded")
		}
		return call.Perform(ctx)
	})
}
