// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// callTimeout limits the duration of a call that has nothing to wait for.
const callTimeout = 10 * time.Second

// check sends the request twice, and checks the rules that hold for every request. It reports whether the call changed
// the state.
func (w *fuzzWorld) check(t *testing.T, r rpc, request proto.Message) (changed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), callTimeout)
	defer cancel()
	before := w.known
	response, err := w.call(ctx, r, request)
	after := w.readState(t)
	same := before.equal(after)
	got := status.Convert(err)
	if ctx.Err() != nil {
		t.Fatalf("%s took more than %s, and answered %s: a lock is not given back, or something has no end", r.name, callTimeout, got.Code())
	}
	if err != nil {
		if !slices.Contains(expected(r.name), got.Code()) {
			t.Errorf("%s answered %s (%s), want OK or one of %v", r.name, got.Code(), got.Message(), expected(r.name))
		}
		// The server, and not the handler, shortens long messages.
		if fault := faultOf(got); fault != "" && len(got.Message()) <= messageLimit {
			t.Errorf("%s %s: %s", r.name, fault, got.Message())
		}
		if strings.Contains(got.Message(), fuzzSecret) || strings.Contains(got.Message(), secretFlag) {
			t.Errorf("%s answered %s with a secret in its message: %s", r.name, got.Code(), got.Message())
		}
		if !same && !removesLeftTarget(r, got.Code()) {
			t.Errorf("%s answered %s and changed something all the same:\n%s\n%s", r.name, got.Code(), before, after)
		}
	} else {
		w.checkResponse(t, r, request, response)
		again, err := w.call(ctx, r, request)
		if err != nil || !proto.Equal(response, again) {
			t.Errorf("%s answered %v, and when it was repeated %v (%v)", r.name, response, again, err)
		}
		if repeated := w.readState(t); !repeated.equal(after) {
			t.Errorf("%s, repeated, changed something:\n%s\n%s", r.name, after, repeated)
		}
	}
	w.checkCapacity(t, r, after)
	w.checkPaths(t, r)
	if !slices.Equal(w.untouched, glimpses(t, w.guarded)) {
		wantSame(t, r.name, w.canaries, w.tree.fingerprint(t))
	}
	w.known = after
	return !same
}

// removesLeftTarget reports whether a refusal may have removed an empty directory: the target of a volume that no longer
// exists, which no other call would remove.
func removesLeftTarget(r rpc, code codes.Code) bool {
	return r.name == "NodeUnpublishVolume" && code == codes.NotFound
}

// checkPaths checks that staged and published volumes are at their paths on the node.
func (w *fuzzWorld) checkPaths(t *testing.T, r rpc) {
	t.Helper()
	for id, path := range map[string]string{publishedID: w.publishedStaging(), mountedID: w.mountedTarget()} {
		if _, err := w.send(t.Context(), "NodeGetVolumeStats", &csi.NodeGetVolumeStatsRequest{VolumeId: id, VolumePath: path}); err != nil {
			continue
		}
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("after %s volume %s is at %s, which has gone: %v", r.name, id, path, err)
		}
	}
}

// expected returns the codes that a single caller of this driver may get: from the general scheme only INVALID_ARGUMENT,
// as no other call is pending, all RPCs are implemented, and no secrets are required.
func expected(name string) []codes.Code {
	want := []codes.Code{codes.InvalidArgument}
	for _, l := range specTable() {
		if l.section == name+" Errors" {
			want = append(want, l.code)
		}
	}
	for _, b := range beyondTable() {
		if b.rpc == name {
			want = append(want, b.code)
		}
	}
	return want
}

// checkCapacity compares the available capacity with the records, and the records with the existing volumes and
// snapshots.
func (w *fuzzWorld) checkCapacity(t *testing.T, r rpc, s fuzzState) {
	t.Helper()
	taken := map[string]int64{}
	var recorded []string
	for _, v := range s.Volumes {
		recorded = append(recorded, v.ID)
		for _, segment := range v.Segments {
			taken[v.Class+" in "+segment.String()] += v.Reserved()
		}
	}
	var kept []string
	for _, snapshot := range s.Snapshots {
		kept = append(kept, snapshot.ID)
		for _, segment := range snapshot.Segments {
			taken[snapshot.Class+" in "+segment.String()] += snapshot.Bytes
		}
	}
	for _, u := range s.Usage {
		pool := u.Class + " in " + u.Segment.String()
		if u.AvailableBytes < 0 || u.AvailableBytes != u.CapacityBytes-taken[pool] {
			t.Errorf("after %s there are %d bytes left of class %s, want %d - %d", r.name, u.AvailableBytes, pool, u.CapacityBytes, taken[pool])
		}
	}
	for what, is := range map[string][2][]string{"volumes": {recorded, s.InMemory}, "snapshots": {kept, s.Kept}} {
		slices.Sort(is[0])
		if !slices.Equal(is[0], is[1]) {
			t.Errorf("after %s the %s %v are recorded, and there are %v", r.name, what, is[0], is[1])
		}
	}
}
