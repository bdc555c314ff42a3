// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// faults returns drivers that are wrong in one way each.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"has no metadata": mutation.Wide(mutation.Streaming(func(*allocatedRequest, []*allocatedResponse, error) ([]*allocatedResponse, error) {
			return nil, status.Error(codes.Unimplemented, "not yet")
		}), mutation.Fails(allocated, "SV-10")),
		"sends the metadata of a snapshot from memory":  mutation.Wrong(remembering(), mutation.Fails(unknown, "SMD-11")),
		"does not send what a volume was restored with": mutation.Wrong(sinceRestored(), mutation.Fails("metadata_of_restored", "SMD-08")),
		"does not say how long blocks are": mutation.Wide(changing(func(_ int, m *allocatedResponse) { m.BlockMetadataType = csi.BlockMetadataType_UNKNOWN }),
			mutation.Fails(allocated+" "+delta, "SMD-04")),
		"changes the style in a stream": mutation.Wide(changing(func(i int, m *allocatedResponse) {
			if i%2 == 1 {
				m.BlockMetadataType = csi.BlockMetadataType_FIXED_LENGTH
			}
		}), mutation.Fails(results, "SMD-04")),
		"does not say how large the volume is": mutation.Wide(changing(func(_ int, m *allocatedResponse) { m.VolumeCapacityBytes = 0 }),
			mutation.Fails(allocated+" "+delta, "SMD-05")),
		"says that the volume grows in a stream": mutation.Wide(changing(func(i int, m *allocatedResponse) { m.VolumeCapacityBytes += int64(i) }),
			mutation.Fails(results, "SMD-05")),
		"sends more tuples than max_results": mutation.Wrong(sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse {
			if len(sent) > 1 {
				sent[0].BlockMetadata = tuplesOf(sent)
				return sent[:1]
			}
			return sent
		}), mutation.Fails(results, "SMD-06")),
		"sends nothing but the first message": mutation.Wrong(sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse { return sent[:min(1, len(sent))] }),
			mutation.Fails(results, "SMD-14")),
		"sends tuples without bytes": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			return append(tuples, &csi.BlockMetadata{ByteOffset: end(tuples)})
		}), mutation.Fails(allocated+" "+delta, "SMD-02")),
		"sends tuples behind the volume": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			return append(tuples, &csi.BlockMetadata{ByteOffset: 1 << 40, SizeBytes: 1})
		}), mutation.Fails(allocated+" "+delta, "SMD-10")),
		"sends tuples before the volume": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			return slices.Insert(tuples, 0, &csi.BlockMetadata{ByteOffset: -1, SizeBytes: 1})
		}), mutation.Fails(allocated+" "+delta, "SMD-10")),
		"sends tuples in no order": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			slices.Reverse(tuples)
			return tuples
		}), mutation.Fails(allocated+" "+delta, "SMD-01")),
		"sends tuples twice": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			return append([]*csi.BlockMetadata{proto.CloneOf(tuples[0])}, tuples...)
		}), mutation.Fails(allocated+" "+delta, "SMD-01")),
		"sends blocks of several sizes as FIXED_LENGTH": mutation.Wide(sending(func(_ request, sent []*allocatedResponse) []*allocatedResponse {
			for _, m := range sent {
				m.BlockMetadataType = csi.BlockMetadataType_FIXED_LENGTH
				for i, tuple := range m.GetBlockMetadata() {
					tuple.SizeBytes = max(1, tuple.GetSizeBytes()-int64(i))
				}
			}
			return sent
		}), mutation.Fails(allocated, "SMD-03")),
		"does not look at starting_offset": mutation.Wrong(fromTheBeginning(), mutation.Fails(offset+" "+results, "SMD-07")),
		"begins behind starting_offset": mutation.Wrong(sending(func(r request, sent []*allocatedResponse) []*allocatedResponse {
			for _, m := range sent {
				m.BlockMetadata = slices.DeleteFunc(m.GetBlockMetadata(), func(b *csi.BlockMetadata) bool {
					return r.GetStartingOffset() > 0 && b.GetByteOffset() <= r.GetStartingOffset()
				})
			}
			return sent
		}), mutation.Fails(offset, "SMD-16"), mutation.Fails(delta, "SMD-08")),
		"leaves out the first range where a call continues another": mutation.Wrong(sending(func(r request, sent []*allocatedResponse) []*allocatedResponse {
			if r.GetStartingOffset() > 0 && r.GetMaxResults() > 0 && len(sent) > 0 && len(sent[0].GetBlockMetadata()) > 0 {
				sent[0].BlockMetadata = sent[0].GetBlockMetadata()[1:]
			}
			return sent
		}), mutation.Fails(results, "SMD-16")),
		"leaves out the last range": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata { return tuples[:len(tuples)-1] }),
			mutation.Fails(allocated, "SMD-08"), mutation.Fails(delta, "SMD-09")),
		"ends before the last byte": mutation.Wide(changingTuples(func(tuples []*csi.BlockMetadata) []*csi.BlockMetadata {
			first := tuples[0]
			first.SizeBytes = 8
			return tuples
		}), mutation.Fails(allocated, "SMD-08")),
		"says that all has changed": mutation.Wide(sendingDelta(func(_ *deltaRequest, sent []*allocatedResponse) []*allocatedResponse {
			sent[0].BlockMetadata = []*csi.BlockMetadata{{SizeBytes: sent[0].GetVolumeCapacityBytes()}}
			return sent[:1]
		}), mutation.Warns(nothing, "SMD-09"), mutation.Passes(delta)),
		"says that nothing has changed": mutation.Wide(sendingDelta(func(_ *deltaRequest, sent []*allocatedResponse) []*allocatedResponse {
			sent[0].BlockMetadata = nil
			return sent[:1]
		}), mutation.Fails(delta, "SMD-09")),
		"compares volumes that have grown up to their old end": mutation.Wrong(sendingDelta(func(_ *deltaRequest, sent []*allocatedResponse) []*allocatedResponse {
			return upToOldEnd(sent)
		}), mutation.Fails(delta, "SMD-09")),
		"does not see what was written behind the old end of a volume": mutation.Wrong(
			mutation.Streaming(func(_ *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
				return upToOldEnd(sent), err
			}), mutation.Fails(delta, "SMD-08")),
		"compares a starting_offset with the end of the base": mutation.Wrong(endingWithBase(),
			mutation.Fails(delta, "SV-10")),
		"passes over changed blocks that are zero": leavingOutZeros(),
		"has one answer for a snapshot, whatever base it is compared with": mutation.Wrong(comparingOnce(),
			mutation.Fails(delta, "SMD-09")),
		"has one answer for all snapshots of a volume": mutation.Wrong(allocatingOnce(), mutation.Fails(delta, "SMD-08")),
		"does not know the snapshots of groups":        mutation.Wrong(withoutMembers(), mutation.Fails(allocated, "SV-10")),
		"INTERNAL for metadata of an unknown snapshot": mutation.Wrong(refusing(codes.NotFound, codes.Internal),
			mutation.Fails(unknown, "SMD-11")),
		"an empty stream for an unknown snapshot": mutation.Wrong(refusing(codes.NotFound, codes.OK),
			mutation.Fails(unknown, "SMD-11")),
		"INVALID_ARGUMENT for an offset out of range": mutation.Wrong(refusing(codes.OutOfRange, codes.InvalidArgument),
			mutation.Fails(beyond, "SMD-12")),
		"an empty stream for an offset out of range": mutation.Wrong(refusing(codes.OutOfRange, codes.OK),
			mutation.Fails(beyond, "SMD-12")),
		"INTERNAL for metadata of no snapshot": mutation.Wrong(refusing(codes.InvalidArgument, codes.Internal),
			mutation.Fails(required, "SMD-13")),
	}
}

func end(tuples []*csi.BlockMetadata) int64 {
	last := tuples[len(tuples)-1]
	return last.GetByteOffset() + last.GetSizeBytes()
}

func fromTheBeginning() mutation.Fault {
	allocatedAgain := mutation.StreamingAs(func(r *allocatedRequest) { r.StartingOffset = inVolume(r.GetStartingOffset()) },
		func(_ *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
			return sent, err
		})
	return allocatedAgain.And(mutation.StreamingAs(func(r *deltaRequest) { r.StartingOffset = inVolume(r.GetStartingOffset()) },
		func(_ *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) { return sent, err }))
}

// size is the size in bytes of volumes here, until they grow.
const size = 16 << 20

// upToOldEnd leaves out the ranges beyond the initial size of volumes.
func upToOldEnd(sent []*allocatedResponse) []*allocatedResponse {
	for _, m := range sent {
		m.BlockMetadata = slices.DeleteFunc(m.GetBlockMetadata(), func(b *csi.BlockMetadata) bool { return b.GetByteOffset() >= size })
	}
	return sent
}

// inVolume returns 0 instead of an offset within the volume.
func inVolume(from int64) int64 {
	if from > 0 && from <= size {
		return 0
	}
	return from
}
