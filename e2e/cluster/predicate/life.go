// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Life describes a volume on one node whose calls were recorded from its creation to its deletion.
type Life struct {
	// NodeID is the node's id in NodeGetInfo.
	NodeID string
	// Context is the volume_context in the answer to CreateVolume.
	Context map[string]string
	// Attaches and Stages say that the driver has these calls, and ReadOnly that its controller claims
	// PUBLISH_READONLY.
	Attaches, Stages, ReadOnly bool
	// Uses are the UIDs of the pods that used the volume.
	Uses []string
}

// Clause is the verdict of a requirement on a life; Err is nil if it was kept.
type Clause struct {
	Requirement string
	Err         error
}

// provisionerIdentity is the key that csi-provisioner adds to the context of a volume.
const provisionerIdentity = "storage.kubernetes.io/csiProvisionerIdentity"

// lifeRequest has the fields of requests that are judged.
type lifeRequest struct {
	NodeID         string            `json:"node_id"`
	StagingPath    string            `json:"staging_target_path"`
	TargetPath     string            `json:"target_path"`
	ReadOnly       bool              `json:"readonly"`
	Capability     json.RawMessage   `json:"volume_capability"`
	VolumeContext  map[string]string `json:"volume_context"`
	PublishContext map[string]string `json:"publish_context"`
}

// lived is a call of the life with its request.
type lived struct {
	method    string
	begin     time.Time
	end       time.Time
	succeeded bool
	lifeRequest
	published map[string]string // the publish_context in the answer
}

// Judge returns the verdicts of the requirements on the calls for the volume, in the order of a life. An error means that
// the calls are not a complete life.
func (l Life) Judge(calls []trace.Call) ([]Clause, error) {
	all, err := livedCalls(calls)
	if err != nil {
		return nil, err
	}
	of := func(method string) []lived {
		return slices.DeleteFunc(slices.Clone(all), func(c lived) bool { return c.method != method })
	}
	attach, detach := of("ControllerPublishVolume"), of("ControllerUnpublishVolume")
	stage, unstage := of("NodeStageVolume"), of("NodeUnstageVolume")
	publish, unpublish := of("NodePublishVolume"), of("NodeUnpublishVolume")
	wanted := [][]lived{publish, unpublish, of("DeleteVolume")}
	if l.Attaches {
		wanted = append(wanted, attach, detach)
	}
	if l.Stages {
		wanted = append(wanted, stage, unstage)
	}
	for _, some := range wanted {
		if _, found := lastSuccess(some); !found {
			return nil, fmt.Errorf("a call that every life has is not among the %d that were recorded, or did not succeed", len(calls))
		}
	}

	var judged []Clause
	say := func(err error, requirements ...string) {
		for _, r := range requirements {
			judged = append(judged, Clause{r, err})
		}
	}
	if l.Attaches {
		say(eachHas("node_id", attach, l.NodeID, func(c lived) string { return c.NodeID }), "CP-10", "NI-08")
		say(eachHas("volume_context", attach, text(l.Context), ownContext), "CP-19")
		if !l.ReadOnly {
			say(eachHas("readonly", attach, "false", func(c lived) string { return fmt.Sprint(c.ReadOnly) }), "CP-15")
		}
		say(follow(stage, attach), "CP-02")
		say(follow(publish, attach), "NS-12")
		attached, _ := lastSuccess(attach)
		said := text(attached.published)
		passed := func(c lived) string { return text(c.PublishContext) }
		say(eachHas("publish_context", slices.Concat(stage, publish), said, passed), "CP-21", "CP-27")
	}
	if l.Stages {
		say(follow(publish, stage), "NS-03")
		say(once("successful NodeStageVolume", stage), "NS-11")
		staging := func(c lived) string { return c.StagingPath }
		say(eachHas("staging_target_path", slices.Concat(stage, publish, unstage), stage[0].StagingPath, staging), "NS-11", "NS-35")
		say(followAll(unstage, unpublish), "NS-08", "NS-11")
		say(undone(stage, unstage, staging), "NS-36")
		say(absolute("staging_target_path", slices.Concat(stage, publish, unstage), staging), "NS-34")
	}
	say(eachHas("volume_context", slices.Concat(stage, publish), text(l.Context), ownContext), "CP-19")
	target := func(c lived) string { return c.TargetPath }
	say(l.targets(publish), "NS-35")
	say(undone(publish, unpublish, target), "NS-08", "NS-36")
	say(absolute("target_path", slices.Concat(publish, unpublish), target), "NS-34")
	capability := func(c lived) string { return string(c.Capability) }
	say(eachHas("volume_capability", publish, capability(publish[0]), capability), "NS-37")
	if l.Attaches {
		say(followAll(detach, unpublish), "CU-02", "NS-17")
		say(followAll(detach, unstage), "CU-02", "NS-07")
		say(eachHas("node_id", detach, l.NodeID, func(c lived) string { return c.NodeID }), "CU-09")
		say(followAll(of("DeleteVolume"), detach), "K8S-I2")
	}
	return judged, nil
}

// livedCalls reads the calls of a life, oldest first.
func livedCalls(calls []trace.Call) ([]lived, error) {
	var all []lived
	for _, call := range calls {
		c := lived{method: path.Base(call.Method), begin: call.Time, end: endOf(call), succeeded: call.Code == codeOK}
		if err := json.Unmarshal(call.Request, &c.lifeRequest); err != nil {
			return nil, fmt.Errorf("reading the request of %s: %w", call.Method, err)
		}
		if c.succeeded {
			var answer struct {
				PublishContext map[string]string `json:"publish_context"`
			}
			if err := json.Unmarshal(call.Response, &answer); err != nil {
				return nil, fmt.Errorf("reading the answer to %s: %w", call.Method, err)
			}
			c.published = answer.PublishContext
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b lived) int { return a.begin.Compare(b.begin) })
	return all, nil
}

// lastSuccess returns the last successful call of ordered calls, and reports whether there is one.
func lastSuccess(calls []lived) (last lived, found bool) {
	for _, c := range slices.Backward(calls) {
		if c.succeeded {
			return c, true
		}
	}
	return lived{}, false
}

// ContextOf returns the volume_context in the last successful answer to CreateVolume; nil if there is no such answer.
func ContextOf(created []trace.Call) (map[string]string, error) {
	var answer struct {
		Volume struct {
			Context map[string]string `json:"volume_context"`
		}
	}
	for _, call := range slices.Backward(created) {
		if call.Code != codeOK {
			continue
		}
		if err := json.Unmarshal(call.Response, &answer); err != nil {
			return nil, fmt.Errorf("reading the answer to %s: %w", call.Method, err)
		}
		break
	}
	return answer.Volume.Context, nil
}

// ReferredTo requires the PersistentVolume to have the volume_id from an answer to CreateVolume, which identifies it in
// calls.
func ReferredTo(volume *corev1.PersistentVolume, created []trace.Call) error {
	ids := Volumes().IDs(created)
	if handle := volume.Spec.CSI.VolumeHandle; !slices.Contains(ids, handle) {
		return finalMismatch("volumeHandle of PersistentVolume "+volume.Name, "one of the volume_ids "+strings.Join(ids, ", "), handle)
	}
	return nil
}

// ownContext returns the volume_context of a call, without the keys that the provisioner and a kubelet add.
func ownContext(c lived) string {
	own := maps.Clone(c.VolumeContext)
	delete(own, provisionerIdentity)
	maps.DeleteFunc(own, func(key, _ string) bool { return strings.HasPrefix(key, fromKubelet) })
	return text(own)
}

// text returns the map as JSON, with sorted keys.
func text(m map[string]string) string {
	if len(m) == 0 {
		return "none"
	}
	encoded, _ := json.Marshal(m) // only strings, in order
	return string(encoded)
}

// eachHas requires each of the calls to have the wanted value.
func eachHas(what string, calls []lived, wanted string, found func(lived) string) error {
	for _, c := range calls {
		if got := found(c); got != wanted {
			return finalMismatch(what+" of "+c.method, wanted, got)
		}
	}
	return nil
}

// follow requires each of the calls to begin after one of the earlier ones has succeeded.
func follow(calls, earlier []lived) error {
	for _, c := range calls {
		if !slices.ContainsFunc(earlier, func(e lived) bool { return e.succeeded && !e.end.After(c.begin) }) {
			return finalMismatch(c.method+" at "+clock(c.begin), "a success of the call that goes before", "none: "+list(earlier))
		}
	}
	return nil
}

// followAll requires each of the calls to begin after the last of the earlier ones has ended.
func followAll(calls, earlier []lived) error {
	for _, c := range calls {
		for _, e := range earlier {
			if e.end.After(c.begin) {
				return finalMismatch(c.method+" at "+clock(c.begin), "after every "+e.method, e.method+" ended at "+clock(e.end))
			}
		}
	}
	return nil
}

// once requires exactly one of the calls to have succeeded.
func once(what string, calls []lived) error {
	successes := 0
	for _, c := range calls {
		if c.succeeded {
			successes++
		}
	}
	if successes != 1 {
		return finalMismatch("number of "+what+" calls", "1", fmt.Sprint(successes))
	}
	return nil
}

// targets requires a separate target path for each use.
func (l Life) targets(publish []lived) error {
	for _, use := range l.Uses {
		if !slices.ContainsFunc(publish, func(c lived) bool { return c.succeeded && strings.Contains(c.TargetPath, use) }) {
			return finalMismatch("NodePublishVolume for pod "+use, "a target_path of its own", list(publish))
		}
	}
	return nil
}

// undone requires the effect of each of the calls at its path to be undone there.
func undone(calls, undo []lived, at func(lived) string) error {
	for _, c := range calls {
		if c.succeeded && !slices.ContainsFunc(undo, func(u lived) bool { return u.succeeded && at(u) == at(c) }) {
			return finalMismatch("what "+c.method+" set up at "+at(c), "undone", list(undo))
		}
	}
	return nil
}

// absolute requires each of the calls to have been sent with an absolute path.
func absolute(what string, calls []lived, at func(lived) string) error {
	for _, c := range calls {
		if !path.IsAbs(at(c)) {
			return finalMismatch(what+" of "+c.method, "an absolute path", strconv.Quote(at(c)))
		}
	}
	return nil
}

// list lists the calls and their times.
func list(calls []lived) string {
	if len(calls) == 0 {
		return "no call"
	}
	var said []string
	for _, c := range calls {
		outcome := "failed"
		if c.succeeded {
			outcome = "succeeded"
		}
		said = append(said, strings.TrimSpace(fmt.Sprintf("%s %s at %s %s", c.method, outcome, clock(c.end), c.TargetPath)))
	}
	return strings.Join(said, "; ")
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05.000") }
