// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/holdings"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
)

// Recalled holds the objects that an earlier run has left, or may have left, according to its journal.
type Recalled struct {
	driver *Driver
	// creations holds the requests that were answered with the ids, and gone the ids of groups that the driver does not
	// know.
	creations map[string]creation
	gone      map[string]bool
	sent      map[int64]sentCall
	unknown   []string // nodes that are not among the endpoints
}

// creation is a request, and the snapshots of the group in its answer.
type creation struct {
	request proto.Message
	members []string
}

// sentCall is a call of the earlier run, replayed in the ledger and not sent to the driver.
type sentCall struct {
	node    *Node
	request proto.Message
}

// Recall reads the driver's claims, and reconstructs the actions of an earlier run from the lines of its journal. The
// target's Run is the name of that run. It changes nothing.
func (s *Suite) Recall(ctx context.Context, lines []journal.Line) (*Recalled, error) {
	d := s.connect("")
	claims, err := s.readClaims(attempt.Tolerant(ctx), d)
	if err != nil {
		return nil, fmt.Errorf("reading the driver's claims: %w", err)
	}
	d.know(claims)
	r := &Recalled{driver: d, creations: map[string]creation{}, gone: map[string]bool{}, sent: map[int64]sentCall{}}
	for i, line := range lines {
		if err := r.read(ctx, line); err != nil {
			return nil, fmt.Errorf("reading what the run did, line %d: %w", i+2, err)
		}
	}
	for _, call := range r.sent { // the run ended before they were answered
		noteAnswered(d, call.node, call.request, answerTo(call.request, ""), status.Error(codes.Unavailable, "the run ended"))
	}
	d.recalled = r
	return r, nil
}

func (r *Recalled) read(ctx context.Context, line journal.Line) error {
	switch {
	case line.Listed != nil:
		for kind, ids := range line.Listed {
			r.listed(own.Kind(kind), ids)
		}
	case line.Made != nil:
		if node, found := r.nodeOf(line.Made.At, func(n *Node) string { return n.ID }); found && node.mayHave(ctx, line.Made.Path) {
			node.enterDir(line.Made.Path)
		}
	case line.Sent != nil:
		return r.send(line.Sent)
	case line.Answered != nil:
		r.answer(line.Answered)
	}
	return nil
}

func (r *Recalled) listed(kind own.Kind, ids []string) {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	r.driver.health.Own.Begin(kind, set)
	before := &r.driver.before
	*before = holdings.State{Volumes: before.Volumes, Snapshots: before.Snapshots}
	switch kind {
	case own.Volume:
		before.Volumes = set
	case own.Snapshot:
		before.Snapshots = set
	}
}

// nodeOf returns the node with that name. It records a name that is not among the endpoints.
func (r *Recalled) nodeOf(name string, nameOf func(*Node) string) (*Node, bool) {
	for _, node := range r.driver.Nodes {
		if nameOf(node) == name {
			return node, true
		}
	}
	if !slices.Contains(r.unknown, name) {
		r.unknown = append(r.unknown, name)
	}
	return nil, false
}

func (r *Recalled) send(sent *journal.Sent) error {
	request, err := requestOf(sent)
	if err != nil {
		return err
	}
	call := sentCall{request: request}
	if sent.At != "" {
		node, found := r.nodeOf(sent.At, (*Node).String)
		if !found {
			return nil
		}
		call.node = node
	}
	r.withSecrets(request)
	noteSent(r.driver, request)
	r.sent[sent.N] = call
	return nil
}

// withSecrets adds the profile's secrets to a creation, which may be repeated: the journal has none.
func (r *Recalled) withSecrets(request proto.Message) {
	switch q := request.(type) {
	case *csi.CreateVolumeRequest:
		q.Secrets = r.driver.Profile().Secrets.CreateVolume
	case *csi.CreateSnapshotRequest:
		q.Secrets = r.driver.Profile().Secrets.CreateSnapshot
	case *csi.CreateVolumeGroupSnapshotRequest:
		q.Secrets = r.driver.Profile().Secrets.GroupSnapshot
	}
}

func (r *Recalled) answer(answered *journal.Answered) {
	call, found := r.sent[answered.N]
	if !found {
		return
	}
	delete(r.sent, answered.N)
	var err error
	if answered.Code != codes.OK {
		err = status.Error(answered.Code, "as the journal has it")
	}
	kind := kindOf(call.request)
	if answered.Foreign != "" {
		r.driver.health.Own.Disown(kind, answered.ID, answered.Foreign, describeCall(creationOf[kind], call.request))
	}
	if answered.ID != "" {
		made := creation{request: call.request}
		for _, member := range answered.Members {
			made.members = append(made.members, member.ID)
		}
		r.creations[string(kind)+" "+answered.ID] = made
	}
	noteAnswered(r.driver, call.node, call.request, answerTo(call.request, answered.ID, answered.Members...), err)
}

func kindOf(request proto.Message) own.Kind {
	switch request.(type) {
	case *csi.CreateSnapshotRequest:
		return own.Snapshot
	case *csi.CreateVolumeGroupSnapshotRequest:
		return own.Group
	default:
		return own.Volume
	}
}

// answerTo returns an answer to the request, with the id of the object that it made, and the snapshots of a group.
func answerTo(request proto.Message, id string, members ...journal.Member) proto.Message {
	switch request.(type) {
	case *csi.CreateVolumeRequest:
		return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: id}}
	case *csi.CreateSnapshotRequest:
		return &csi.CreateSnapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: id}}
	case *csi.CreateVolumeGroupSnapshotRequest:
		group := &csi.VolumeGroupSnapshot{GroupSnapshotId: id}
		for _, member := range members {
			group.Snapshots = append(group.Snapshots, &csi.Snapshot{SnapshotId: member.ID, SourceVolumeId: member.Volume})
		}
		return &csi.CreateVolumeGroupSnapshotResponse{GroupSnapshot: group}
	default:
		return nil
	}
}

// requestOf returns the request of a call in a journal.
func requestOf(sent *journal.Sent) (proto.Message, error) {
	name := protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(sent.Method, "/"), "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sent.Method, err)
	}
	method, isMethod := found.(protoreflect.MethodDescriptor)
	if !isMethod {
		return nil, fmt.Errorf("%s is not a call", sent.Method)
	}
	form, err := protoregistry.GlobalTypes.FindMessageByName(method.Input().FullName())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sent.Method, err)
	}
	request := form.New().Interface()
	return request, protojson.Unmarshal(sent.Request, request)
}

// Entries names the objects that are left, or may be left, oldest first.
func (r *Recalled) Entries() []string {
	var names []string
	for _, e := range r.driver.ledger.All() {
		names = append(names, e.String())
	}
	return names
}

// UnknownNodes returns the nodes that the run used and that are not among the endpoints: nothing can be removed there.
func (r *Recalled) UnknownNodes() []string { return r.unknown }

// Others returns the objects in answers to the run that do not belong to it. They are not touched.
func (r *Recalled) Others() []string { return r.driver.health.Own.Others() }

// Remove removes the objects that are left, again as long as it removes more, and names the remaining ones.
func (r *Recalled) Remove(ctx context.Context) (left []string) {
	r.noteGone(ctx)
	for before := -1; ; {
		err := r.driver.StartOver(ctx)
		now := len(r.driver.ledger.All())
		if err == nil || now == before || ctx.Err() != nil {
			break
		}
		before = now
	}
	for _, f := range undoAll(attempt.Tolerant(ctx), r.driver.ledger.Clear()) {
		left = append(left, ledger.Stuck(f.Entry, f.err).Error())
	}
	return left
}

// errOthers explains why a volume or snapshot is not deleted: its name does not lead to it any more.
var errOthers = errors.New("its name does not lead to it any more, so its id may have been given to someone else since")

// noteGone records the groups that the driver does not know: the run has deleted them, so later objects with their
// names belong to it too. Asking by the name first would create another group, and no list shows that it belongs to the
// run.
func (r *Recalled) noteGone(ctx context.Context) {
	ctx = attempt.Tolerant(ctx)
	for key, made := range r.creations {
		id, isGroup := strings.CutPrefix(key, string(own.Group)+" ")
		if !isGroup {
			continue
		}
		_, err := r.driver.Groups.GetVolumeGroupSnapshot(ctx, &csi.GetVolumeGroupSnapshotRequest{
			GroupSnapshotId: id, SnapshotIds: made.members, Secrets: r.driver.Profile().Secrets.GroupSnapshot,
		})
		if status.Code(err) != codes.NotFound {
			continue
		}
		r.gone[key] = true
		r.driver.health.Own.Delete(own.Group, id)
		for _, member := range made.members {
			r.driver.health.Own.Delete(own.Snapshot, member)
		}
	}
}

// mustBeNamed reports whether the object with the id is gone. If it is not, the name that it was created with must still
// lead to it, or mustBeNamed returns an error: the run may have ended long ago, and a back end may use ids again. An object
// with the run in its id belongs to the run.
func (r *Recalled) mustBeNamed(ctx context.Context, kind own.Kind, id string) (gone bool, err error) {
	if r == nil {
		return false, nil // the run was given the id just now
	}
	key := string(kind) + " " + id
	request := r.creations[key].request
	if request == nil || r.gone[key] || own.Carries(id, r.driver.Target.Run) {
		return r.gone[key], nil
	}
	var now string
	switch q := proto.Clone(request).(type) {
	case *csi.CreateVolumeRequest:
		q.VolumeContentSource = nil // the source may be gone, and is not needed to find the volume by its name
		var again *csi.CreateVolumeResponse
		again, err = r.driver.Controller.CreateVolume(ctx, q)
		now = again.GetVolume().GetVolumeId()
	case *csi.CreateSnapshotRequest:
		var again *csi.CreateSnapshotResponse
		again, err = r.driver.Controller.CreateSnapshot(ctx, q)
		now = again.GetSnapshot().GetSnapshotId()
		if status.Code(err) == codes.NotFound && r.isOfSource(ctx, id, q.GetSourceVolumeId()) {
			return false, nil
		}
	case *csi.CreateVolumeGroupSnapshotRequest:
		var again *csi.CreateVolumeGroupSnapshotResponse
		again, err = r.driver.Groups.CreateVolumeGroupSnapshot(ctx, q)
		now = again.GetGroupSnapshot().GetGroupSnapshotId()
	}
	switch code := status.Code(err); {
	case err == nil && now == id:
		return false, nil
	case code == codes.AlreadyExists && kind == own.Volume:
		return false, nil // it has grown, or it is a copy
	case err != nil && code != codes.AlreadyExists:
		return false, fmt.Errorf("cannot find out whether it still belongs to the run: %w", err)
	case kind == own.Volume && r.isGone(ctx, request, id):
		r.driver.health.Own.Delete(own.Volume, id)
		return false, nil
	case now != "":
		return false, fmt.Errorf("%w; the name leads to %q now, which may be left too", errOthers, now)
	default:
		return false, errOthers
	}
}

// isOfSource reports whether the snapshot is listed with its source, which is gone, so that its creation cannot be
// repeated. A snapshot that is not listed at all is gone too.
func (r *Recalled) isOfSource(ctx context.Context, id, sourceID string) bool {
	d := r.driver
	if !d.Held.ListsSnapshots {
		return false
	}
	listed, err := d.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SnapshotId: id, Secrets: d.Profile().Secrets.ListSnapshots})
	return err == nil && !slices.ContainsFunc(listed.GetEntries(), func(e *csi.ListSnapshotsResponse_Entry) bool {
		return e.GetSnapshot().GetSnapshotId() == id && e.GetSnapshot().GetSourceVolumeId() != sourceID
	})
}

// isGone reports whether the driver answers that no volume has the id, which is from the answer to the request.
func (r *Recalled) isGone(ctx context.Context, request proto.Message, id string) bool {
	created, isVolume := request.(*csi.CreateVolumeRequest)
	if !isVolume {
		return false
	}
	_, err := r.driver.Controller.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId: id, VolumeCapabilities: created.GetVolumeCapabilities(), Parameters: created.GetParameters(), Secrets: r.driver.Profile().Secrets.ValidateVolume,
	})
	return status.Code(err) == codes.NotFound
}
