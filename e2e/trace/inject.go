// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// inject handles a call according to the rule.
func (c *forwarding) inject(ctx context.Context, driver *grpc.ClientConn, first *frame, begun error, rule *activeRule) error {
	did := &injected{rule: rule.ID}
	if !rule.Otherwise {
		c.mu.Lock()
		c.record.injected = did
		c.mu.Unlock()
	}
	if err := c.wait(ctx, rule.Delay, rule); err != nil {
		return err
	}
	if rule.Code != "" && !rule.Forward {
		return outcome(rule.Rule)
	}
	known := messagesOf(c.record.method)
	if len(rule.PatchRequest) > 0 {
		changed, err := patch(known.request, first.data, rule.PatchRequest)
		if err != nil {
			return status.Errorf(codes.Internal, "csi-topo proxy: rule %s: the request of %s: %v", rule.ID, c.record.method, err)
		}
		first = &frame{data: changed}
	}
	answer := &held{}
	if len(rule.Answer) > 0 {
		given, err := patch(known.response, nil, rule.Answer)
		if err != nil {
			return status.Errorf(codes.Internal, "csi-topo proxy: rule %s: the answer to %s: %v", rule.ID, c.record.method, err)
		}
		answer.messages = []*frame{{data: given}}
		return c.release(answer, rule, known.response)
	}
	err := c.exchange(ctx, driver, first, begun, answer)
	did.forwarded, did.code = true, status.Code(err)
	if len(answer.messages) > 0 {
		did.response = answer.messages[0].data
	}
	if gaveUp := c.wait(ctx, rule.Hold, rule); gaveUp != nil {
		return gaveUp
	}
	if rule.Code != "" {
		return outcome(rule.Rule)
	}
	if failed := c.release(answer, rule, known.response); failed != nil {
		return failed
	}
	return err
}

// release sends the held answer to the caller, with the rule's changes.
func (c *forwarding) release(answer *held, rule *activeRule, of protoreflect.MessageType) error {
	_ = c.caller.SetHeader(answer.header) // fails only if one was sent before
	c.caller.SetTrailer(answer.trailer)
	for _, message := range answer.messages {
		if len(rule.Patch) > 0 {
			patched, err := patch(of, message.data, rule.Patch)
			if err != nil {
				return status.Errorf(codes.Internal, "csi-topo proxy: rule %s: the response of %s: %v", rule.ID, c.record.method, err)
			}
			message = &frame{data: patched}
		}
		if err := c.caller.SendMsg(message); err != nil {
			return err
		}
		c.addResponse(message)
	}
	return nil
}

// held is an answer that was not yet sent to the caller.
type held struct {
	header, trailer metadata.MD
	messages        []*frame
}

// SetHeader implements sink.
func (h *held) SetHeader(md metadata.MD) error { h.header = md; return nil }

// SetTrailer implements sink.
func (h *held) SetTrailer(md metadata.MD) { h.trailer = md }

// SendMsg implements sink.
func (h *held) SendMsg(m any) error {
	f, ok := m.(*frame)
	if !ok {
		return fmt.Errorf("holding a %T: the proxy holds frames only", m)
	}
	h.messages = append(h.messages, f)
	return nil
}

// patch merges an object into a message of the type.
func patch(of protoreflect.MessageType, data []byte, change json.RawMessage) ([]byte, error) {
	message := decode(of, data)
	if message == nil {
		return nil, errors.New("its type is not known, so it cannot be changed")
	}
	before, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("writing it as JSON: %w", err)
	}
	after, err := jsonpatch.MergePatch(before, change)
	if err != nil {
		return nil, fmt.Errorf("merging the patch: %w", err)
	}
	proto.Reset(message)
	if err := protojson.Unmarshal(after, message); err != nil {
		return nil, fmt.Errorf("reading what was patched: %w", err)
	}
	patched, err := proto.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("writing what was patched: %w", err)
	}
	return patched, nil
}
