// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
)

// Rule selects calls that are handled differently, and says how. In order: the call is delayed; the driver is called, with
// PatchRequest, unless there is an Answer, or a Code without Forward; the answer is held; and the caller gets Code, or the
// answer with Patch.
type Rule struct {
	// ID names the rule. It is unique among the active rules.
	ID string `json:"id"`
	// Method is a method's name, CreateVolume, or its full name, /csi.v1.Controller/CreateVolume.
	Method string `json:"method"`
	// Match is an object that the request must contain: each of its fields, with equal values; other fields of the request
	// are ignored. The request is compared in its recorded form, so secrets cannot be distinguished. Without Match, every
	// request matches.
	Match json.RawMessage `json:"match,omitempty"`
	// Times is the number of calls that the rule applies to; 0 means all.
	Times int `json:"times,omitempty"`
	// Every makes the rule apply to every nth call, such as every third call if it is 3; 0 means every call.
	Every int `json:"every,omitempty"`
	// Otherwise makes the rule apply if no other rule does. Such a rule is part of the driver: its effect is recorded as
	// the driver's behaviour.
	Otherwise bool `json:"otherwise,omitempty"`
	// Delay is the time that the call waits before the driver gets it.
	Delay Duration `json:"delay,omitzero"`
	// Hold is the time that the driver's answer waits before the caller gets it. Removing the rule ends both waits.
	Hold Duration `json:"hold,omitzero"`
	// Code is the name of the gRPC code that the caller gets: RESOURCE_EXHAUSTED.
	Code string `json:"code,omitempty"`
	// Message is the message of the gRPC status.
	Message string `json:"message,omitempty"`
	// Forward makes the driver do the work before the caller gets Code: its answer is lost.
	Forward bool `json:"forward,omitempty"`
	// PatchRequest is merged into the request that the driver gets (RFC 7396): {"accessibility_requirements": null}. The
	// recorded request is the caller's.
	PatchRequest json.RawMessage `json:"patchRequest,omitempty"`
	// Answer is the response that the caller gets without the driver being called: {}.
	Answer json.RawMessage `json:"answer,omitempty"`
	// Patch is merged into the driver's response (RFC 7396): {"volume": {"accessible_topology": []}}.
	// Fields have the names of the specification, and 64-bit numbers may be strings.
	Patch json.RawMessage `json:"patch,omitempty"`
}

// Validate returns an error that names everything that is wrong with the rule.
func (r Rule) Validate() error {
	var wrong []error
	check := func(right bool, text string, args ...any) {
		if !right {
			wrong = append(wrong, fmt.Errorf(text, args...))
		}
	}
	check(r.ID != "", "id: want a name that no other rule has, found none")
	check(r.Method != "", "method: want a name such as CreateVolume, found none")
	check(r.Times >= 0, "times: want 0 or more, found %d", r.Times)
	check(r.Every >= 0, "every: want 0 or more, found %d", r.Every)
	check(r.Delay >= 0 && r.Hold >= 0, "delay, hold: want 0 or more, found %s and %s", text(r.Delay), text(r.Hold))
	check(len(r.Match) == 0 || isObject(r.Match), "match: want an object, found %s", r.Match)
	check(len(r.Patch) == 0 || isObject(r.Patch), "patch: want an object, found %s", r.Patch)
	check(len(r.PatchRequest) == 0 || isObject(r.PatchRequest), "patchRequest: want an object, found %s", r.PatchRequest)
	check(len(r.Answer) == 0 || isObject(r.Answer), "answer: want an object, found %s", r.Answer)
	check(len(r.Patch) == 0 || r.Code == "", "patch: want no code beside it, found %s", r.Code)
	check(len(r.PatchRequest) == 0 || r.Code == "" || r.Forward, "patchRequest: want forward beside the code, without which the driver is not called")
	check(len(r.Answer) == 0 || r.Code == "" && len(r.Patch) == 0 && len(r.PatchRequest) == 0 && r.Hold == 0,
		"answer: want no code, hold, patch or patchRequest beside it")
	check(!r.Forward || r.Code != "", "forward: want a code that the caller gets, found none")
	check(r.Delay > 0 || r.Hold > 0 || r.Code != "" || len(r.Patch)+len(r.PatchRequest)+len(r.Answer) > 0,
		"want one of delay, hold, code, patchRequest, answer and patch, found none")
	if r.Code != "" {
		code, err := codeNamed(r.Code)
		check(err == nil, "code: %w", err)
		check(err != nil || code != codes.OK, "code: want one of a failed call, found OK")
	}
	return errors.Join(wrong...)
}

// matches reports whether the rule is for a call. The request is in its recorded form, nil if it is not known.
func (r Rule) matches(method string, request json.RawMessage) bool {
	if r.Method != method && !strings.HasSuffix(method, "/"+r.Method) {
		return false
	}
	return len(r.Match) == 0 || contains(request, r.Match)
}

func text(d Duration) string {
	t, _ := d.MarshalText() // never fails
	return string(t)
}

func isObject(data json.RawMessage) bool {
	var object map[string]any
	return json.Unmarshal(data, &object) == nil && object != nil
}

// codeNamed returns the gRPC code of a name such as NOT_FOUND.
func codeNamed(name string) (codes.Code, error) {
	quoted, err := json.Marshal(strings.Replace(name, "CANCELED", "CANCELLED", 1)) // gRPC's own list has two Ls
	if err != nil {
		return codes.Unknown, fmt.Errorf("writing %q as JSON: %w", name, err)
	}
	var code codes.Code
	if err := code.UnmarshalJSON(quoted); err != nil {
		return codes.Unknown, fmt.Errorf("want a gRPC code such as NOT_FOUND, found %q", name)
	}
	return code, nil
}

// contains reports whether every field of part is in whole, with an equal value.
func contains(whole, part json.RawMessage) bool {
	w, err := plain(whole)
	if err != nil {
		return false
	}
	p, err := plain(part)
	return err == nil && containsValue(w, p)
}

// plain reads JSON, with numbers unchanged.
func plain(data json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

func containsValue(whole, part any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range p {
			if found, ok := w[key]; !ok || !containsValue(found, value) {
				return false
			}
		}
		return true
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) != len(p) {
			return false
		}
		for i := range p {
			if !containsValue(w[i], p[i]) {
				return false
			}
		}
		return true
	default:
		return whole == part
	}
}
