// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"time"
)

// Call is one recorded call, a line of calls.jsonl. Messages have the field names of the
// specification, and no secrets.
type Call struct {
	// Number counts the calls of one recorder from 1, in the order they ended.
	Number int64 `json:"number,omitempty"`
	// Case is the id of the case that sent the call, empty for other callers.
	Case string `json:"case,omitempty"`
	// Time is when the call arrived.
	Time time.Time `json:"time,omitzero"`
	// Node is the name of the node that the proxy runs on.
	Node string `json:"node,omitempty"`
	// Endpoint identifies the driver's socket that was called.
	Endpoint string `json:"endpoint,omitempty"`
	// Method is the full name of the method, such as /csi.v1.Controller/CreateVolume.
	Method string `json:"method"`
	// Request is the request: an object, or an array if there were several messages. It is absent if this program does not
	// know the message type, because it may have secrets. For a stream, it has the first 16.
	Request json.RawMessage `json:"request,omitempty"`
	// Response is the answer that the caller got, in the form of Request.
	Response json.RawMessage `json:"response,omitempty"`
	// Cut gives the sizes of the messages, if only a part of them is recorded.
	Cut string `json:"cut,omitempty"`
	// Code is the name of the gRPC code that the caller got: OK, NOT_FOUND.
	Code string `json:"code"`
	// Message is the message of the gRPC status.
	Message string `json:"message,omitempty"`
	// Seconds is the time that the caller waited.
	Seconds float64 `json:"seconds"`
	// Injected is present if a rule changed the call.
	Injected *Injection `json:"injected,omitempty"`
}

// Injection describes how a rule handled a call.
type Injection struct {
	// Rule is the id of the rule.
	Rule string `json:"rule"`
	// Forwarded reports whether the driver was called.
	Forwarded bool `json:"forwarded"`
	// Code and Response are the driver's answer, if it was called.
	Code     string          `json:"code,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}
