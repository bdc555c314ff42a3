// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"context"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// Ranges returns the ranges that the test has set.
func (w *watched) Ranges(_ context.Context, _, _ string, from int64, found func(volume.Range) error) error {
	for _, r := range w.asked.ranges {
		if r.Offset+r.Bytes <= from {
			continue
		}
		if err := found(r); err != nil {
			return err
		}
	}
	return nil
}

// sentMessages is the stream of one call.
type sentMessages struct {
	grpc.ServerStream
	ctx       context.Context
	allocated []*csi.GetMetadataAllocatedResponse
}

func (s *sentMessages) Context() context.Context { return s.ctx }

func (s *sentMessages) Send(m *csi.GetMetadataAllocatedResponse) error {
	s.allocated = append(s.allocated, m)
	return nil
}

type sentDelta struct{ *sentMessages }

func (s sentDelta) Send(*csi.GetMetadataDeltaResponse) error { return nil }

func TestGetMetadataAllocated(t *testing.T) {
	for _, test := range []struct {
		name    string
		ranges  int
		from    int64
		most    int32
		want    []int // tuples of each message
		code    codes.Code
		message string
	}{
		{"nothing", 0, 0, 0, []int{0}, codes.OK, ""},
		{"all in one message", 3, 0, 0, []int{3}, codes.OK, ""},
		{"as many as asked for", 5, 0, 2, []int{2, 2, 1}, codes.OK, ""},
		{"no more than fit", 2500, 0, 2000, []int{1000, 1000, 500}, codes.OK, ""},
		{"from an offset on", 5, 2048, 0, []int{3}, codes.OK, ""},
		{"from the end", 5, 10 * mib, 0, []int{0}, codes.OK, ""},
		{"from behind the end", 5, 10*mib + 1, 0, nil, codes.OutOfRange, "starting_offset must be from 0 to"},
		{"from before the beginning", 5, -1, 0, nil, codes.OutOfRange, "starting_offset must be from 0 to"},
		{"a negative number of tuples", 5, 0, -1, nil, codes.InvalidArgument, "max_results must not be negative"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			for i := range test.ranges {
				c.disk.ranges = append(c.disk.ranges, volume.Range{Offset: int64(i) * 1024, Bytes: 512})
			}
			s := c.snapshot(snapshotRequest("snapshot", c.create(request("volume", "Z2"))))
			stream := &sentMessages{ctx: t.Context()}
			err := service.NewSnapshotMetadata(c.Controller).GetMetadataAllocated(&csi.GetMetadataAllocatedRequest{
				SnapshotId: s.GetSnapshotId(), StartingOffset: test.from, MaxResults: test.most,
			}, stream)
			if test.code != codes.OK {
				expectRefused(t, err, test.code, test.message)
				return
			}
			if err != nil || len(stream.allocated) != len(test.want) {
				t.Fatalf("got %v, %v, want %d messages", stream.allocated, err, len(test.want))
			}
			for i, m := range stream.allocated {
				if len(m.GetBlockMetadata()) != test.want[i] || m.GetVolumeCapacityBytes() != 10*mib || m.GetBlockMetadataType() != csi.BlockMetadataType_VARIABLE_LENGTH {
					t.Errorf("message %d is %v, want %d tuples of 10 MiB", i, m, test.want[i])
				}
			}
		})
	}
}

func TestMetadataRefuses(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	first, second := c.snapshot(snapshotRequest("first", v)), c.snapshot(snapshotRequest("second", v))
	other := c.snapshot(snapshotRequest("other", c.create(request("other", "Z2"))))
	dir := c.snapshot(snapshotRequest("dir", c.create(with(request("dir", "Z2"), "kind", "dir"))))
	for _, test := range []struct {
		name         string
		base, target string
		code         codes.Code
		want         string
	}{
		{"no base", "", second.GetSnapshotId(), codes.InvalidArgument, "base_snapshot_id is required"},
		{"no target", first.GetSnapshotId(), "", codes.InvalidArgument, "target_snapshot_id is required"},
		{"an unknown base", "image-x", second.GetSnapshotId(), codes.NotFound, "there is no snapshot"},
		{"an unknown target", first.GetSnapshotId(), "image-x", codes.NotFound, "there is no snapshot"},
		{"of another volume", other.GetSnapshotId(), second.GetSnapshotId(), codes.InvalidArgument, "later snapshot of the volume"},
		{"the other way round", second.GetSnapshotId(), first.GetSnapshotId(), codes.InvalidArgument, "later snapshot of the volume"},
		{"of directories", dir.GetSnapshotId(), dir.GetSnapshotId(), codes.InvalidArgument, "which has no blocks"},
		{"right", first.GetSnapshotId(), second.GetSnapshotId(), codes.OK, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := service.NewSnapshotMetadata(c.Controller).GetMetadataDelta(&csi.GetMetadataDeltaRequest{
				BaseSnapshotId: test.base, TargetSnapshotId: test.target,
			}, sentDelta{&sentMessages{ctx: t.Context()}})
			if test.code == codes.OK {
				if err != nil {
					t.Error(err)
				}
				return
			}
			expectRefused(t, err, test.code, test.want)
		})
	}
}
