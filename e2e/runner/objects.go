// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"reflect"
	"strings"

	"github.com/onsi/gomega/format"
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// printObjectsAsYAML makes a failed assertion print Kubernetes objects as YAML, protobuf messages and errors as text, and
// gRPC codes by the names that the specification gives them. undo ends that.
func printObjectsAsYAML() (undo func()) {
	var keys []format.CustomFormatterKey
	for _, formatter := range []format.CustomFormatter{objectAsYAML, messageAsText, errorAsText, codeAsName} {
		keys = append(keys, format.RegisterCustomFormatter(formatter))
	}
	return func() {
		for _, key := range keys {
			format.UnregisterCustomFormatter(key)
		}
	}
}

func errorAsText(value any) (string, bool) {
	err, ok := value.(error)
	if !ok || err == nil {
		return "", false
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	return err.Error(), true
}

func codeAsName(value any) (string, bool) {
	found, ok := value.(codes.Code)
	if !ok {
		return "", false
	}
	name, known := code.Code_name[int32(found)] //nolint:gosec // codes are small
	return name, known
}

func objectAsYAML(value any) (string, bool) {
	object, ok := pointerTo(value).(runtime.Object)
	if !ok {
		return "", false
	}
	object = object.DeepCopyObject()
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil) // who wrote which field is noise here
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		return "", false
	}
	return "\n" + strings.TrimRight(string(text), "\n"), true
}

func messageAsText(value any) (string, bool) {
	message, ok := pointerTo(value).(proto.Message)
	if !ok {
		return "", false
	}
	return prototext.Format(message), true
}

// pointerTo is the value itself if it is a pointer, and a pointer to a copy of it if it is a struct, as the elements of
// a list of objects are. A nil pointer gives nil: there is nothing to print.
func pointerTo(value any) any {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return value
	case v.Kind() == reflect.Struct && reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[runtime.Object]()):
		pointer := reflect.New(v.Type())
		pointer.Elem().Set(v)
		return pointer.Interface()
	default:
		return nil
	}
}
