// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// message is a message of a stream; the messages of both calls have the same fields.
type message interface {
	GetBlockMetadataType() csi.BlockMetadataType
	GetVolumeCapacityBytes() int64
	GetBlockMetadata() []*csi.BlockMetadata
}

// question is a call for metadata: the allocated blocks of a snapshot, or the blocks that differ from a base.
type question struct {
	base, snapshot string
	from           int64
	most           int32
}

// String names the call.
func (q question) String() string {
	rpc := "GetMetadataAllocated of " + q.snapshot
	if q.base != "" {
		rpc = "GetMetadataDelta of " + q.base + " and " + q.snapshot
	}
	return fmt.Sprintf("%s, starting_offset %d, max_results %d", rpc, q.from, q.most)
}

// ask makes the call, and returns the messages of the stream and the error that ended it; nil is its regular end.
func ask(ctx context.Context, driver *harness.Driver, q question) ([]message, error) {
	secrets := driver.Profile().Secrets.SnapshotMetadata
	if q.base == "" {
		stream, err := driver.Metadata.GetMetadataAllocated(ctx, &csi.GetMetadataAllocatedRequest{SnapshotId: q.snapshot, StartingOffset: q.from, MaxResults: q.most, Secrets: secrets})
		if err != nil {
			return nil, err
		}
		return receive(stream.Recv)
	}
	stream, err := driver.Metadata.GetMetadataDelta(ctx, &csi.GetMetadataDeltaRequest{
		BaseSnapshotId: q.base, TargetSnapshotId: q.snapshot, StartingOffset: q.from, MaxResults: q.most, Secrets: secrets,
	})
	if err != nil {
		return nil, err
	}
	return receive(stream.Recv)
}

func receive[Response message](next func() (Response, error)) ([]message, error) {
	var messages []message
	for {
		m, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return messages, nil
		case err != nil:
			return messages, err
		}
		messages = append(messages, m)
	}
}

// mustAnswer makes the call, checks all rules for its stream, and returns the ranges.
func mustAnswer(ctx context.Context, driver *harness.Driver, q question) []device.Extent {
	messages, err := ask(ctx, driver, q)
	harness.ExpectOK("SV-10", err, fmt.Sprintf("a plugin that claims SNAPSHOT_METADATA_SERVICE answers %s", q))
	var last *csi.BlockMetadata
	var first message
	var found []device.Extent
	for _, m := range messages {
		if first == nil {
			first = m
		}
		expectForm(q, m, first)
		for _, tuple := range m.GetBlockMetadata() {
			expectTuple(ctx, q, m, tuple, last)
			last = tuple
			found = append(found, device.Extent{Begin: tuple.GetByteOffset(), End: tuple.GetByteOffset() + tuple.GetSizeBytes()})
		}
	}
	expectLengths(ctx, q, messages)
	return found
}

// expectForm judges the fields of a message other than its tuples.
func expectForm(q question, m, first message) {
	style := m.GetBlockMetadataType()
	known := style == csi.BlockMetadataType_FIXED_LENGTH || style == csi.BlockMetadataType_VARIABLE_LENGTH
	suite.Must("SMD-04", known && style == first.GetBlockMetadataType(), "block_metadata_type is required, and the same in all messages of a stream\nrequested: %s\ngot: %s in one message, and %s in the first", q, style, first.GetBlockMetadataType())
	bytes := m.GetVolumeCapacityBytes()
	suite.Must("SMD-05", bytes > 0 && bytes == first.GetVolumeCapacityBytes(), "volume_capacity_bytes is required, and the same in all messages of a stream\nrequested: %s\ngot: %d in one message, and %d in the first", q, bytes, first.GetVolumeCapacityBytes())
	tuples := len(m.GetBlockMetadata())
	suite.Must("SMD-06", q.most == 0 || tuples <= int(q.most), "a message has no more tuples than max_results\nrequested: %s\ngot: a message of %d tuples", q, tuples)
}

// expectTuple judges a tuple that follows the last one of the stream.
func expectTuple(ctx context.Context, q question, m message, tuple, last *csi.BlockMetadata) {
	begin, size := tuple.GetByteOffset(), tuple.GetSizeBytes()
	suite.Must("SMD-02", size > 0, "size_bytes of a tuple is greater than zero\nrequested: %s\ngot: byte_offset %d, size_bytes %d", q, begin, size)
	suite.Must("SMD-10", begin >= 0 && begin < m.GetVolumeCapacityBytes(), "a tuple is a range of the volume\nrequested: %s\ngot: byte_offset %d, size_bytes %d, of volume_capacity_bytes %d", q, begin, size, m.GetVolumeCapacityBytes())
	if end := begin + size; end > m.GetVolumeCapacityBytes() {
		suite.Must("SMD-10", m.GetBlockMetadataType() == csi.BlockMetadataType_FIXED_LENGTH, "a tuple is a range of the volume\nrequested: %s\ngot: byte_offset %d, size_bytes %d, of volume_capacity_bytes %d", q, begin, size, m.GetVolumeCapacityBytes())
		suite.Warn(ctx, "SMD-10", "the last block of %s ends beyond the volume: byte_offset %d, size_bytes %d, of volume_capacity_bytes %d", q, begin, size, m.GetVolumeCapacityBytes())
	}
	suite.Must("SMD-07", begin+size > q.from, "no tuple ends before starting_offset\nrequested: %s\ngot: byte_offset %d, size_bytes %d", q, begin, size)
	if last != nil {
		suite.Must("SMD-01", last.GetByteOffset()+last.GetSizeBytes() <= begin, "tuples are in ascending order and do not overlap\nrequested: %s\ngot: byte_offset %d, size_bytes %d, and then byte_offset %d", q, last.GetByteOffset(), last.GetSizeBytes(), begin)
	}
}

// expectLengths judges the sizes of FIXED_LENGTH.
func expectLengths(ctx context.Context, q question, messages []message) {
	var tuples []*csi.BlockMetadata
	for _, m := range messages {
		if m.GetBlockMetadataType() == csi.BlockMetadataType_FIXED_LENGTH {
			tuples = append(tuples, m.GetBlockMetadata()...)
		}
	}
	for i, tuple := range tuples {
		if tuple.GetSizeBytes() == tuples[0].GetSizeBytes() {
			continue
		}
		atEnd := i == len(tuples)-1 && tuple.GetByteOffset()+tuple.GetSizeBytes() == messages[0].GetVolumeCapacityBytes()
		suite.Must("SMD-03", atEnd, "size_bytes is constant in a stream of FIXED_LENGTH\nrequested: %s\ngot: %d, and %d at byte_offset %d", q, tuples[0].GetSizeBytes(), tuple.GetSizeBytes(), tuple.GetByteOffset())
		suite.Warn(ctx, "SMD-03", "size_bytes is constant in a stream of FIXED_LENGTH, and the last tuple of %s, which the end of the volume cuts, has %d instead of %d", q, tuple.GetSizeBytes(), tuples[0].GetSizeBytes())
	}
}

// covered reports whether the ranges, which are in order, contain all of the wanted extent.
func covered(ranges []device.Extent, wanted device.Extent) bool {
	at := wanted.Begin
	for _, r := range ranges {
		if r.Begin <= at && at < r.End {
			at = r.End
		}
	}
	return at >= wanted.End
}
