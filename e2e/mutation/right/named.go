// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func named() []Driver {
	return []Driver{
		{Name: "hashed-ids", Is: "has hashes as ids of volumes and snapshots, unrelated to their names",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&hashes{ids: map[string]string{}}).fault()}},
		{Name: "names-are-labels",
			Is:     "takes only names that are RFC 1035 labels, with 63 characters in lower case, and only ids of its own form, like the APIs of clouds",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Refusing(hasOtherForm)}},
	}
}

// hashes maps its own ids to the ids of the driver behind it.
type hashes struct {
	mu  sync.Mutex
	ids map[string]string // the ids of the driver behind, by hash
}

func (h *hashes) fault() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, right mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		replaceIDs(request.ProtoReflect(), h.behind)
		response, err := call.With(request).Perform(ctx)
		if err != nil {
			return nil, err
		}
		replaceIDs(response.ProtoReflect(), h.inFront)
		return response, nil
	}).And(mutation.StreamingAs(func(r *csi.GetMetadataAllocatedRequest) { replaceIDs(r.ProtoReflect(), h.behind) },
		func(_ *csi.GetMetadataAllocatedRequest, sent []*csi.GetMetadataAllocatedResponse, err error) ([]*csi.GetMetadataAllocatedResponse, error) {
			return sent, err
		})).And(mutation.StreamingAs(func(r *csi.GetMetadataDeltaRequest) { replaceIDs(r.ProtoReflect(), h.behind) },
		func(_ *csi.GetMetadataDeltaRequest, sent []*csi.GetMetadataDeltaResponse, err error) ([]*csi.GetMetadataDeltaResponse, error) {
			return sent, err
		}))
}

func (h *hashes) behind(id string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, found := h.ids[id]; found {
		return known
	}
	return id
}

func (h *hashes) inFront(id string) string {
	if id == "" {
		return id
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := sha256.Sum256([]byte(id))
	hash := hex.EncodeToString(sum[:])
	h.ids[hash] = id
	return hash
}

// replaceIDs replaces the ids of volumes and snapshots in the message, and in nested messages.
func replaceIDs(m protoreflect.Message, by func(string) string) {
	ids := []protoreflect.Name{"volume_id", "source_volume_id", "snapshot_id", "group_snapshot_id", "base_snapshot_id", "target_snapshot_id"}
	lists := []protoreflect.Name{"source_volume_ids", "snapshot_ids"}
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap():
		case field.IsList() && field.Message() != nil:
			for i := range value.List().Len() {
				replaceIDs(value.List().Get(i).Message(), by)
			}
		case field.IsList() && slices.Contains(lists, field.Name()):
			for i := range value.List().Len() {
				value.List().Set(i, protoreflect.ValueOfString(by(value.List().Get(i).String())))
			}
		case field.IsList():
		case field.Message() != nil:
			replaceIDs(value.Message(), by)
		case slices.Contains(ids, field.Name()):
			m.Set(field, protoreflect.ValueOfString(by(value.String())))
		}
		return true
	})
}
