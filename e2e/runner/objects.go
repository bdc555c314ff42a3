package runner

import (
	"reflect"
	"strings"

	"github.com/onsi/gomega/format"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// printObjectsAsYAML makes a failed assertion print Kubernetes objects as the YAML that people read them in, and
// protobuf messages as text. It returns the way back.
func printObjectsAsYAML() (undo func()) {
	objects := format.RegisterCustomFormatter(objectAsYAML)
	messages := format.RegisterCustomFormatter(messageAsText)
	return func() {
		format.UnregisterCustomFormatter(objects)
		format.UnregisterCustomFormatter(messages)
	}
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
