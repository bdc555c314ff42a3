// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/internal/foreign"
)

const (
	// shortText is the length in bytes up to which a text is always recorded: an id, or a token.
	shortText = 128
	// longestText is the maximum number of recorded bytes of a text.
	longestText = 1 << 10
)

// Recorded returns a message in its recorded form: an object without secrets, nil for no message. A message of more than
// about most bytes is cut: texts show their original length, and lists and maps keep their first entries. size is the size
// of the message in bytes if it is cut, otherwise 0. edit changes each text; nil changes nothing.
func Recorded(message proto.Message, most int, edit func(string) string) (object json.RawMessage, size int) {
	if message == nil {
		return nil, 0
	}
	whole := proto.Size(message)
	if whole <= most && edit == nil {
		return Sanitized(message), 0
	}
	c := &cutter{left: most, edit: edit}
	object = Sanitized(c.message(message.ProtoReflect()).Interface())
	if !c.cut {
		return object, 0
	}
	return object, whole
}

// Record records the messages of the call, if there are any, in the form of Recorded.
func (c *Call) Record(request, response proto.Message, most int, edit func(string) string) {
	var requestSize, responseSize int
	c.Request, requestSize = Recorded(request, most, edit)
	c.Response, responseSize = Recorded(response, most, edit)
	c.Cut = sizes(requestSize, responseSize)
}

// sizes describes the sizes of the cut messages in a call's record; "" if no message is cut.
func sizes(request, response int) string {
	switch {
	case request > 0 && response > 0:
		return fmt.Sprintf("the request has %d bytes and the response %d, of which a part is recorded", request, response)
	case request > 0:
		return fmt.Sprintf("the request has %d bytes, of which a part is recorded", request)
	case response > 0:
		return fmt.Sprintf("the response has %d bytes, of which a part is recorded", response)
	default:
		return ""
	}
}

// cutter copies messages up to a size.
type cutter struct {
	left int // bytes
	edit func(string) string
	cut  bool
}

func (c *cutter) message(m protoreflect.Message) protoreflect.Message {
	copied := m.New()
	c.cut = c.cut || len(m.GetUnknown()) > 0
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if !m.Has(field) {
			continue
		}
		switch value := m.Get(field); {
		case field.IsList():
			c.list(field, value.List(), copied.Mutable(field).List())
		case field.IsMap():
			c.entries(field.MapValue(), value.Map(), copied.Mutable(field).Map())
		default:
			copied.Set(field, c.value(field, value))
		}
	}
	return copied
}

func (c *cutter) list(field protoreflect.FieldDescriptor, from, to protoreflect.List) {
	for i := range from.Len() {
		if c.left <= 0 {
			c.cut = true
			return
		}
		to.Append(c.value(field, from.Get(i)))
	}
}

func (c *cutter) entries(field protoreflect.FieldDescriptor, from, to protoreflect.Map) {
	var keys []protoreflect.MapKey
	from.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, key)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		if c.left <= 0 {
			c.cut = true
			return
		}
		kept := key
		if text, isText := key.Interface().(string); isText {
			kept = protoreflect.ValueOfString(c.text(text)).MapKey()
		}
		to.Set(kept, c.value(field, from.Get(key)))
	}
}

// value returns the value of a field that is neither a list nor a map, or an entry of one, cut to the remaining room.
func (c *cutter) value(field protoreflect.FieldDescriptor, value protoreflect.Value) protoreflect.Value {
	const number = 8 // bytes
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return protoreflect.ValueOfMessage(c.message(value.Message()))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(c.text(value.String()))
	case protoreflect.BytesKind:
		data := value.Bytes()
		kept := data[:min(len(data), max(c.left, 0))]
		c.left -= len(kept)
		c.cut = c.cut || len(kept) < len(data)
		return protoreflect.ValueOfBytes(kept)
	default:
		c.left -= number
		return value
	}
}

func (c *cutter) text(text string) string {
	if c.edit != nil {
		text = c.edit(text)
	}
	kept := foreign.Cut(text, max(shortText, min(c.left, longestText)))
	c.left -= len(kept)
	c.cut = c.cut || kept != text
	return kept
}
