// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Making is a pair of calls that create something in the driver, and delete it.
type Making struct {
	// Create and Delete are methods, such as CreateVolume.
	Create, Delete string
	// object is the field of the answer that contains the id, and id is its name there and in the request to delete.
	object, id string
}

// Volumes returns the calls that create and delete volumes.
func Volumes() Making { return Making{"CreateVolume", "DeleteVolume", "volume", "volume_id"} }

// GroupSnapshots returns the calls that create and delete group snapshots.
func GroupSnapshots() Making {
	return Making{"CreateVolumeGroupSnapshot", "DeleteVolumeGroupSnapshot", "group_snapshot", "group_snapshot_id"}
}

// Snapshots returns the calls that create and delete snapshots.
func Snapshots() Making { return Making{"CreateSnapshot", "DeleteSnapshot", "snapshot", "snapshot_id"} }

// Of returns the calls that create something with this name.
func (m Making) Of(calls []trace.Call, name string) []trace.Call {
	return slices.DeleteFunc(CallsOf(calls, m.Create), func(call trace.Call) bool {
		var request struct{ Name string }
		return json.Unmarshal(call.Request, &request) != nil || request.Name != name
	})
}

// IDs returns the ids in the driver's answers, even if these did not reach the caller.
func (m Making) IDs(created []trace.Call) []string {
	var ids []string
	for _, call := range created {
		if id := m.idOf(call); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m Making) idOf(call trace.Call) string {
	answers := []json.RawMessage{call.Response}
	if call.Injected != nil {
		answers = append(answers, call.Injected.Response)
	}
	for _, answer := range answers {
		var fields map[string]map[string]any
		if json.Unmarshal(answer, &fields) == nil {
			if id, ok := fields[m.object][m.id].(string); ok && id != "" {
				return id
			}
		}
	}
	return ""
}

// Known requires the request with the name to be repeated until it is known whether the result exists. The calls are
// all that reached the driver, in any order.
func (m Making) Known(calls []trace.Call, name string) error {
	created := m.Of(calls, name)
	if len(created) == 0 {
		return fmt.Errorf("no call of %s for %s was recorded among %d", m.Create, name, len(calls))
	}
	last := slices.MaxFunc(created, func(a, b trace.Call) int { return a.Time.Compare(b.Time) })
	if isPending(last.Code) {
		return mismatch(m.Create+" of "+name, "repeated until its answer says whether it is there",
			fmt.Sprintf("%d calls, the last at %s answered %s", len(created), clock(last.Time), last.Code))
	}
	return nil
}

// LeavesNothing requires Known for the name, and the result of the request to have been deleted since the driver last
// returned it.
func (m Making) LeavesNothing(calls []trace.Call, name string) error {
	if err := m.Known(calls, name); err != nil {
		return err
	}
	created := m.Of(calls, name)
	for _, id := range m.IDs(created) {
		var made time.Time
		for _, call := range created {
			if m.idOf(call) == id && endOf(call).After(made) {
				made = endOf(call)
			}
		}
		if !slices.ContainsFunc(calls, func(call trace.Call) bool {
			return path.Base(call.Method) == m.Delete && m.named(call) == id && call.Code == codeOK && endOf(call).After(made)
		}) {
			return mismatch(m.object+" "+id+", which is no longer wanted", m.Delete+" answered OK after "+clock(made), m.deletions(calls, id))
		}
	}
	return nil
}

// NotListed requires the driver to list none of the deleted ids.
func NotListed(listed, deleted []string) error {
	for _, id := range deleted {
		if slices.Contains(listed, id) {
			return mismatch(id+", which was deleted, in what the driver lists", "not listed", "listed")
		}
	}
	return nil
}

// named returns the id in a request to delete.
func (m Making) named(call trace.Call) string {
	var request map[string]any
	if json.Unmarshal(call.Request, &request) != nil {
		return ""
	}
	id, _ := request[m.id].(string)
	return id
}

func (m Making) deletions(calls []trace.Call, id string) string {
	var said []string
	for _, call := range calls {
		if path.Base(call.Method) == m.Delete && m.named(call) == id {
			said = append(said, call.Code+" at "+clock(call.Time))
		}
	}
	if len(said) == 0 {
		return "no call of " + m.Delete
	}
	return fmt.Sprintf("%q", said)
}

// isPending reports whether the code leaves open whether the driver has performed the request.
func isPending(code string) bool {
	return slices.Contains([]string{"ABORTED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "CANCELED"}, code)
}

func endOf(call trace.Call) time.Time {
	return call.Time.Add(time.Duration(call.Seconds * float64(time.Second)))
}
