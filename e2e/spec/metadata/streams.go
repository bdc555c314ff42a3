// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// streams returns the cases about the requests for a stream.
func streams() []harness.Case { return []harness.Case{maxResults(), startingOffset()} }

// known is a call for metadata with the known writes, in their order.
type known struct {
	question
	written []device.Extent
}

// needQuestions creates a volume with several ranges, and returns calls for the allocated blocks and, if they are tracked,
// for the changed blocks.
func needQuestions(ctx context.Context, driver *harness.Driver) (*disk, []known) {
	d := needDisk(ctx, driver)
	last := d.write(ctx, d.At(8)[7])
	base := d.snapshot(ctx)
	written := d.write(ctx, d.At(8)[:7]...)
	target := d.snapshot(ctx)
	questions := []known{{question{snapshot: target}, slices.Concat(written, last)}}
	if changed := (question{base: base, snapshot: target}); isTracked(ctx, driver, changed) {
		questions = append(questions, known{changed, written})
	}
	return d, questions
}

// expectAll fails the case by the clause unless the answer contains everything that was written from its offset on. The
// division into blocks, and the excess of a range over the written data, may differ from call to call.
func (k known) expectAll(ctx context.Context, driver *harness.Driver, clause, why string) {
	found := mustAnswer(ctx, driver, k.question)
	for _, w := range k.written {
		w.Begin = max(w.Begin, k.from)
		suite.Must(clause, w.End <= k.from || covered(found, w), "%s\nbytes %s of the volume were written to\n%s: %v", why, w, k.question, found)
	}
}

func isTracked(ctx context.Context, driver *harness.Driver, q question) bool {
	_, err := ask(ctx, driver, q)
	return status.Code(err) != codes.FailedPrecondition
}

func maxResults() harness.Case {
	return harness.Case{
		ID:           "metadata_max_results",
		Text:         "sends no more tuples in a message than max_results, and leaves none out, also where a call continues another with another max_results",
		Requirements: append([]string{"SMD-06", "SMD-14", "SMD-16", "SMD-20"}, rules...),
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			_, questions := needQuestions(ctx, driver)
			for _, q := range questions {
				for _, q.most = range []int32{1, 3} {
					q.expectAll(ctx, driver, "SMD-14", "a stream ends after all metadata is transmitted, in however many messages")
				}
				q.expectContinued(ctx, driver)
			}
		},
	}
}

// expectContinued fails the case unless a call that begins after the first message of another call, with another
// max_results, returns the rest.
func (k known) expectContinued(ctx context.Context, driver *harness.Driver) {
	k.most = 1
	messages, err := ask(ctx, driver, k.question)
	i := slices.IndexFunc(harness.NeedOK(messages, err), func(m message) bool { return len(m.GetBlockMetadata()) > 0 })
	if i < 0 {
		return // the calls before this one have judged that
	}
	tuple := messages[i].GetBlockMetadata()[0]
	k.from, k.most = tuple.GetByteOffset()+tuple.GetSizeBytes(), 3
	if k.from < messages[i].GetVolumeCapacityBytes() {
		k.expectAll(ctx, driver, "SMD-16", "a CO continues a call after the last byte that it received, with any max_results")
	}
}

// startingOffset checks that a call from an offset on reports the same blocks after it as a call from the beginning.
// The stream may begin anywhere.
func startingOffset() harness.Case {
	return harness.Case{
		ID:           "metadata_starting_offset",
		Text:         "returns all blocks from starting_offset on that were written to",
		Requirements: append([]string{"SMD-16"}, rules...),
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			_, questions := needQuestions(ctx, driver)
			for _, q := range questions {
				second, last := q.written[1], q.written[len(q.written)-1]
				for _, q.from = range []int64{second.Begin, second.Begin + 1, second.End, last.Begin, last.End - 1} {
					q.expectAll(ctx, driver, "SMD-16", "the blocks from starting_offset on are the same as without it")
				}
			}
		},
	}
}
