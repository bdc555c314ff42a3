// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"math"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// editor changes a request according to its bytes, mostly to values that make sense in the field, so that a fuzzer whose
// bytes do not parse as a request still reaches the last checks.
type editor struct {
	bytes []byte
	*vocabulary
}

// pick takes one byte, as a number below n; 0 when no byte is left.
func (e *editor) pick(n int) int {
	if len(e.bytes) == 0 || n == 0 {
		return 0
	}
	first := int(e.bytes[0])
	e.bytes = e.bytes[1:]
	return first % n
}

// text returns a text for the field: one of the field's words, any known word, or a text made of the following bytes.
func (e *editor) text(field string) string {
	own := e.own(field)
	switch how := e.pick(8); {
	case how == 0:
		length := min(e.pick(math.MaxUint8), len(e.bytes))
		text := e.bytes[:length]
		e.bytes = e.bytes[length:]
		return strings.ToValidUTF8(string(text), "")
	case how == 1 || len(own) == 0:
		return e.all[e.pick(len(e.all))]
	default:
		return own[e.pick(len(own))]
	}
}

// edit makes changes until the bytes are used up.
func (e *editor) edit(m protoreflect.Message) {
	for len(e.bytes) > 0 {
		e.change(m)
	}
}

// change clears, sets or adds to one field of the message, or of one in it.
func (e *editor) change(m protoreflect.Message) {
	all := m.Descriptor().Fields()
	if all.Len() == 0 {
		e.bytes = nil
		return
	}
	d := all.Get(e.pick(all.Len()))
	switch how := e.pick(8); {
	case how == 7:
		m.Clear(d)
	case d.IsMap():
		key := e.text(string(d.Name()) + "[key]")
		m.Mutable(d).Map().Set(protoreflect.ValueOfString(key).MapKey(), protoreflect.ValueOfString(e.text(key)))
	case d.IsList():
		e.changeList(m.Mutable(d).List(), d, how)
	case d.Message() != nil:
		e.change(m.Mutable(d).Message())
	default:
		m.Set(d, e.scalar(d))
	}
}

// changeList changes an element, or adds one.
func (e *editor) changeList(list protoreflect.List, d protoreflect.FieldDescriptor, how int) {
	if d.Message() == nil {
		list.Append(e.scalar(d))
		return
	}
	if add := how == 0; add || list.Len() == 0 {
		list.Append(list.NewElement())
	}
	e.change(list.Get(e.pick(list.Len())).Message())
}

// scalar returns a value of the field's type; for numbers, it is one at or next to a
// limit.
func (e *editor) scalar(d protoreflect.FieldDescriptor) protoreflect.Value {
	numbers := []int64{
		0, 1, -1, 2, volumeBytes - 1, volumeBytes, volumeBytes + 1, 2 * volumeBytes, 1 << 30, 1<<30 + 1, 1 << 40,
		math.MaxInt32, math.MinInt32, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64,
	}
	switch d.Kind() {
	case protoreflect.StringKind, protoreflect.BytesKind:
		return textFor(d, e.text(string(d.Name())))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(e.pick(2) == 1)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(e.pick(d.Enum().Values().Len() + 1)))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(numbers[e.pick(len(numbers))]))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(numbers[e.pick(len(numbers))])
	default:
		return d.Default()
	}
}
