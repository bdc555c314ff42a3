// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	allocatedRequest  = csi.GetMetadataAllocatedRequest
	allocatedResponse = csi.GetMetadataAllocatedResponse
	deltaRequest      = csi.GetMetadataDeltaRequest
	deltaResponse     = csi.GetMetadataDeltaResponse
)

// request is a request for metadata, of either call.
type request interface {
	GetStartingOffset() int64
	GetMaxResults() int32
}

// sending makes a driver that sends a different stream, for both calls. The messages of GetMetadataDelta have the same
// fields as the messages of the other call, which changes them.
func sending(change func(r request, sent []*allocatedResponse) []*allocatedResponse) mutation.Fault {
	return mutation.Streaming(func(r *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		return change(r, sent), err
	}).And(sendingDelta(func(r *deltaRequest, sent []*allocatedResponse) []*allocatedResponse { return change(r, sent) }))
}

// sendingDelta is like sending, for GetMetadataDelta only.
func sendingDelta(change func(r *deltaRequest, sent []*allocatedResponse) []*allocatedResponse) mutation.Fault {
	return mutation.Streaming(func(r *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) {
		var changed []*deltaResponse
		var messages []*allocatedResponse
		for _, m := range sent {
			messages = append(messages, &allocatedResponse{BlockMetadataType: m.GetBlockMetadataType(), VolumeCapacityBytes: m.GetVolumeCapacityBytes(), BlockMetadata: m.GetBlockMetadata()})
		}
		for _, m := range change(r, messages) {
			changed = append(changed, &deltaResponse{BlockMetadataType: m.GetBlockMetadataType(), VolumeCapacityBytes: m.GetVolumeCapacityBytes(), BlockMetadata: m.GetBlockMetadata()})
		}
		return changed, err
	})
}

// changing makes a driver that changes each message of a stream.
func changing(change func(i int, m *allocatedResponse)) mutation.Fault {
	return sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse {
		for i, m := range sent {
			change(i, m)
		}
		return sent
	})
}

// changingTuples makes a driver that sends different tuples, all in the first message.
func changingTuples(change func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata) mutation.Fault {
	return sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse {
		if tuples := tuplesOf(sent); len(tuples) > 0 {
			sent[0].BlockMetadata = change(tuples)
			return sent[:1]
		}
		return sent
	})
}

func tuplesOf(sent []*allocatedResponse) []*csi.BlockMetadata {
	var tuples []*csi.BlockMetadata
	for _, m := range sent {
		tuples = append(tuples, m.GetBlockMetadata()...)
	}
	return tuples
}

// refusing makes a driver that refuses a call with another code than it should.
func refusing(instead, other codes.Code) mutation.Fault {
	recoded := func(err error) error {
		if status.Code(err) == instead {
			return status.Error(other, status.Convert(err).Message())
		}
		return err
	}
	return mutation.Streaming(func(_ *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		return sent, recoded(err)
	}).And(mutation.Streaming(func(_ *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) {
		return sent, recoded(err)
	}))
}

// block is the size in bytes of the blocks of FixedLength.
const block = 1 << 20

// FixedLength makes a correct driver that reports blocks of one size, with any number in each message.
func FixedLength() mutation.Fault {
	return sending(func(r request, sent []*allocatedResponse) []*allocatedResponse {
		var blocks []int64
		for _, tuple := range tuplesOf(sent) {
			for at := tuple.GetByteOffset() / block * block; at < tuple.GetByteOffset()+tuple.GetSizeBytes(); at += block {
				blocks = append(blocks, at)
			}
		}
		blocks = slices.Compact(blocks)
		most := 2
		if r.GetMaxResults() > 0 {
			most = min(most, int(r.GetMaxResults()))
		}
		var messages []*allocatedResponse
		for chunk := range slices.Chunk(blocks, most) {
			m := proto.CloneOf(sent[0])
			m.BlockMetadataType, m.BlockMetadata = csi.BlockMetadataType_FIXED_LENGTH, nil
			for _, at := range chunk {
				m.BlockMetadata = append(m.BlockMetadata, &csi.BlockMetadata{ByteOffset: at, SizeBytes: block})
			}
			messages = append(messages, m)
		}
		return messages
	})
}

// sinceRestored makes a driver that leaves out the first block of a snapshot of a restored volume.
func sinceRestored() mutation.Fault {
	var restored sync.Map // volumes that were restored, and their snapshots
	return mutation.Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		if r.GetVolumeContentSource() != nil {
			restored.Store(response.GetVolume().GetVolumeId(), true)
		}
	}).And(mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		if _, is := restored.Load(r.GetSourceVolumeId()); is {
			restored.Store(response.GetSnapshot().GetSnapshotId(), true)
		}
	})).And(mutation.Streaming(func(r *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		if _, is := restored.Load(r.GetSnapshotId()); is {
			for _, m := range sent {
				m.BlockMetadata = slices.DeleteFunc(m.GetBlockMetadata(), func(b *csi.BlockMetadata) bool { return b.GetByteOffset() == 0 })
			}
		}
		return sent, err
	}))
}

// remembering makes a driver that resends its earlier stream for a snapshot that no longer exists.
func remembering() mutation.Fault {
	before := map[string][]*allocatedResponse{}
	return mutation.Streaming(func(r *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		if known, found := before[r.GetSnapshotId()]; found && status.Code(err) == codes.NotFound {
			return known, nil
		}
		if err == nil {
			before[r.GetSnapshotId()] = sent
		}
		return sent, err
	}).Serially()
}
