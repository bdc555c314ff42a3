// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sizes returns the cases about the size of a volume from a source.
func sizes(k kind) []harness.Case {
	cases := append(largerOnNode(k), larger(k), smaller(k), sameSize(k), countedOnce(k))
	if k.noun == "snapshot" {
		cases = append(cases, withoutRange(k))
	}
	return cases
}

// withoutRange leaves the size to the driver, whose default size is less than the size of the source.
func withoutRange(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_without_range",
		Text:         fmt.Sprintf("%s a %s to a volume of no less than its size where no capacity_range is sent", k.doing, k.noun),
		Requirements: []string{"CS-11"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.take(ctx, driver, driver.NeedVolume(ctx, driver.Volume(1).OfBytes(growth.Size(driver))))

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, driver.Volume(1).OfBytes(0))

			if got.Code != codes.OK {
				suite.Skip(suite.ByCapability, "the driver creates no volume without capacity_range: %s", got)
			}
			bytes := got.Volume.GetCapacityBytes()
			suite.Must("CS-11", bytes == 0 || bytes >= from.told, "a volume is not smaller than the snapshot that it is created from, whose size_bytes is %d\nrequested: no capacity_range, and %s\ncapacity_bytes: %d", from.told, describeSource(from), bytes)
		},
	}
}

func larger(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_larger",
		Text:         fmt.Sprintf("%s a %s to a larger volume, or returns OUT_OF_RANGE", k.doing, k.noun),
		Requirements: []string{"CV-05", "CV-11", "CREATE-11", "CV-07", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			asked := driver.Volume(1).OfBytes(largerThan(driver, from))

			got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked)

			expectLarger(ctx, driver, got, asked)
		},
	}
}

// largerOnNode returns the cases about the size that a workload sees, after NodePublishVolume at the latest: the file
// system of a smaller source must be grown, and a device must have its new end.
func largerOnNode(k kind) []harness.Case {
	var cases []harness.Case
	for _, variant := range []struct {
		id, text   string
		needs      []harness.Need
		capability func(*harness.Driver) *csi.VolumeCapability
	}{
		{"_larger_on_node", "a volume", nil, (*harness.Driver).Capability},
		{"_larger_device", "a block device", harness.Block(), (*harness.Driver).Block},
	} {
		cases = append(cases, harness.Case{
			ID:           k.verb + variant.id,
			Text:         fmt.Sprintf("presents a workload with the whole size of %s that is larger than the %s it was created from", variant.text, k.noun),
			Requirements: []string{"CV-05", "CREATE-11", "GEN-15", "GEN-16"},
			Needs: harness.Needs(k.needs(), harness.Nodes(1), harness.Attaches(2), harness.NodeClaims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS),
				harness.RealNodes(), variant.needs),
			Run: func(ctx context.Context, driver *harness.Driver) {
				k.expectPresented(ctx, driver, variant.capability(driver))
			},
		})
	}
	return cases
}

// expectPresented compares a larger volume from a source with a volume of that size that has none.
func (k kind) expectPresented(ctx context.Context, driver *harness.Driver, capability *csi.VolumeCapability) {
	node := driver.Nodes[0]
	from := k.take(ctx, driver, driver.NeedVolume(ctx, driver.VolumeFor(node), capability))
	asked := driver.VolumeFor(node).OfBytes(largerThan(driver, from))
	empty := driver.NeedVolume(ctx, asked, capability)

	got := creation.CreateFrom(ctx, driver, from.VolumeContentSource, asked, capability)

	if got.Code == codes.InvalidArgument && !proto.Equal(capability, driver.Capability()) {
		suite.Skip(suite.ByCapability, "the driver creates no block device from a %s: %s", k.noun, got)
	}
	expectLarger(ctx, driver, got, asked)
	if got.Code != codes.OK {
		return
	}
	whole, told := totalBytes(ctx, publication.For(node, empty), empty, capability)
	if !told {
		suite.Skip(suite.ByEnvironment, "NodeGetVolumeStats does not say how many bytes a volume has in total")
	}
	bytes, told := totalBytes(ctx, publication.For(node, got.Volume), got.Volume, capability)
	const slack = 16 // a file system that was smaller has a larger overhead
	suite.Must("CV-05", !told || bytes >= whole-whole/slack,
		"a workload sees the larger size\nrequested: %d bytes, %s\na new volume of that size has %d bytes in total\nthis one has %d", asked.Bytes, describeSource(from), whole, bytes)
}

// totalBytes returns the size of the volume in bytes that a workload on the node sees, if the node reports it.
func totalBytes(ctx context.Context, node *harness.Node, volume *csi.Volume, capability *csi.VolumeCapability) (bytes int64, told bool) {
	return data.TotalBytes(ctx, node, publication.PublishAs(ctx, node, volume, capability))
}

// smaller requests a volume that is smaller than its source, which a volume from a snapshot must not be. The specification
// does not say that about a clone: it has the requested size. A range that ends below the size of a source may be refused,
// with OUT_OF_RANGE.
func smaller(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_smaller",
		Text:         fmt.Sprintf("returns OUT_OF_RANGE for limit_bytes below the size of the %s, or honors the range", k.noun),
		Requirements: []string{"CS-11", "CV-11", "CREATE-11", "CR-05", "GEN-15", "GEN-16"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			if from.told < 2 {
				k.expectWithinLimit(ctx, driver, from)
				suite.Skip(suite.ByCapability, "the driver does not return the size of the %s, so that no smaller size is known", k.noun)
			}
			suite.Each([]int64{from.told - 1, 0}, func(limit int64) { k.expectNotSmaller(ctx, driver, from, limit) })
		},
	}
}

// sameSize requests exactly the size of the source, which is the most precise request of a CO. A driver whose copies need
// more room may refuse it, and gets a warning: no backup of a full volume can then be restored in place.
func sameSize(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_same_size",
		Text:         fmt.Sprintf("%s a %s to a volume of its size, and no other", k.doing, k.noun),
		Requirements: []string{k.clause, "CV-11", "CR-05", "CREATE-11"},
		Needs:        k.needs(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			if from.told == 0 {
				suite.Skip(suite.ByCapability, "the driver does not return the size of the %s", k.noun)
			}
			whole := driver.Volume(1).OfBytes(from.told)
			asked := fmt.Sprintf("required_bytes and limit_bytes are %d, and %s, which has as many", from.told, describeSource(from))
			got := creation.CreateFromUpTo(ctx, driver, from.VolumeContentSource, whole, from.told)
			bytes := got.Volume.GetCapacityBytes()
			switch {
			case got.Code == codes.OutOfRange, got.Code == codes.InvalidArgument:
				creation.ExpectNothingLeft(ctx, got)
				suite.Warn(ctx, "CREATE-11", "the size of the source is not a possible size of a copy\nrequested: %s\ngot: %s", asked, got)
			case got.Code != codes.OK:
				mustHaveRoom(ctx, driver, got, whole)
				suite.Fail(k.clause, "a plugin that claims %s creates volumes from a %s\nrequested: %s\ngot: %s", k.capability, k.noun, asked, got)
			default:
				suite.Must("CR-05", bytes <= from.told, "a volume is not larger than limit_bytes\nrequested: %s\ncapacity_bytes: %d", asked, bytes)
				expectSize(got, from.told)
			}
		},
	}
}

// expectNotSmaller requests half of the size of the source, up to the limit if there is one.
func (k kind) expectNotSmaller(ctx context.Context, driver *harness.Driver, from content, limit int64) {
	half := driver.Volume(1).OfBytes(from.told / 2)
	asked := fmt.Sprintf("required_bytes is %d, limit_bytes is %d, and %s, which has %d bytes", half.Bytes, limit, describeSource(from), from.told)
	got := creation.CreateFromUpTo(ctx, driver, from.VolumeContentSource, half, limit)
	bytes := got.Volume.GetCapacityBytes()
	switch {
	case got.Code == codes.InvalidArgument && k.noun == "volume":
		// A plugin that cannot create a volume from this source may say so (CREATE-04).
		creation.ExpectNothingLeft(ctx, got)
		suite.Warn(ctx, "CREATE-11", "INVALID_ARGUMENT does not say that it is the capacity_range which is wrong\nrequested: %s", asked)
	case got.Code != codes.OK:
		mustHaveRoom(ctx, driver, got, half)
		expectCode(ctx, "CREATE-11", got, codes.OutOfRange, "a capacity_range that the source does not allow", asked)
	case bytes > 0 && bytes < half.Bytes:
		suite.Fail("CV-11", "a volume is not smaller than required_bytes\nrequested: %s\ncapacity_bytes: %d", asked, bytes)
	case limit > 0 && bytes > limit:
		suite.Fail("CR-05", "a volume is not larger than limit_bytes\nrequested: %s\ncapacity_bytes: %d", asked, bytes)
	case k.noun == "volume":
	case bytes > 0:
		suite.Must("CS-11", bytes >= from.told, "a volume is not smaller than the snapshot that it is created from\nrequested: %s\ncapacity_bytes: %d", asked, bytes)
	case limit > 0:
		suite.Warn(ctx, "CS-11", "no size is both in the range and enough for the snapshot: a volume was created, and its answer has no capacity_bytes\nrequested: %s", asked)
	}
}

// expectWithinLimit requests half of the size of the source's volume if the driver does not return the source's own
// size. The possible sizes are not known then; a size above limit_bytes is not possible.
func (k kind) expectWithinLimit(ctx context.Context, driver *harness.Driver, from content) {
	half := driver.Volume(1).OfBytes(from.bytes / 2)
	got := creation.CreateFromUpTo(ctx, driver, from.VolumeContentSource, half, from.bytes-1)
	bytes := got.Volume.GetCapacityBytes()
	suite.Must("CR-05", bytes < from.bytes, "a volume is not larger than limit_bytes\nrequested: required_bytes is %d, limit_bytes is %d, and %s\ncapacity_bytes: %d", half.Bytes, from.bytes-1, describeSource(from), bytes)
}

// countedOnce checks that the volume takes its size from its own segments, once, and nothing from the source's.
func countedOnce(k kind) harness.Case {
	return harness.Case{
		ID:           k.verb + "_counted_once",
		Text:         fmt.Sprintf("%s a %s, and takes the size of the new volume once from the capacity of its segments", k.doing, k.noun),
		Requirements: []string{"CAP-07", "CAP-11", "CAP-12", "CAP-13"},
		Needs:        harness.Needs(k.needs(), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			from := k.needContent(ctx, driver)
			before := driver.Held.Watch(ctx)

			got := k.mustCreate(ctx, driver, from, driver.Volume(1))

			bytes := got.Volume.GetCapacityBytes()
			if bytes == 0 { // it has the requested size
				bytes = from.bytes
			}
			wrong := before.Taken(ctx, bytes, got.Volume.GetAccessibleTopology())
			suite.Must("CAP-07", len(wrong) == 0, "the volume has %d bytes, and the available capacity of its segments falls by as many:\n%s", bytes, strings.Join(wrong, "\n"))
		},
	}
}

// largerThan returns a size in bytes above the source's.
func largerThan(driver *harness.Driver, from content) int64 {
	if grown := growth.Size(driver); grown > from.bytes {
		return grown
	}
	return 2 * from.bytes
}

// expectLarger judges a volume that was requested with a larger size than its source.
func expectLarger(ctx context.Context, driver *harness.Driver, got creation.Answer, asked model.Request) {
	switch got.Code {
	case codes.OK:
		bytes := got.Volume.GetCapacityBytes()
		suite.Must("CV-05", bytes == 0 || bytes >= asked.Bytes, "a volume that is larger than its source has the requested size\nrequired_bytes: %d\ncapacity_bytes: %d", asked.Bytes, bytes)
	default:
		mustHaveRoom(ctx, driver, got, asked)
		suite.Must("CV-05", got.Code == codes.OutOfRange, "a volume that is larger than its source is created, or the request is OUT_OF_RANGE\nrequested: %d bytes\ngot: %s", asked.Bytes, got)
		creation.ExpectNothingLeft(ctx, got)
	}
}
