// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega/format"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestObjectsInFailures(t *testing.T) {
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "reader", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}}}
	for _, test := range []struct {
		name  string
		given any
		want  string
	}{
		{name: "a Kubernetes object", given: &pod, want: "\n        metadata:\n          name: reader\n"},
		{name: "a list of Kubernetes objects", given: []corev1.Pod{pod}, want: "name: reader\n"},
		{name: "a CSI message", given: &csi.Volume{VolumeId: "v1"}, want: `volume_id:`},
		{name: "no object", given: (*corev1.Pod)(nil), want: "nil"},
		{name: "a gRPC code", given: codes.AlreadyExists, want: ": ALREADY_EXISTS"},
		{name: "an error of gRPC", given: status.Error(codes.NotFound, "gone"), want: "desc = gone\n    rpc error: code = NotFound desc = gone"},
		{name: "errors", given: []error{errors.New("gone")}, want: ": [gone]"},
		{name: "an error that is none", given: (*os.PathError)(nil), want: "nil"},
		{name: "something else", given: 7, want: "<int>: 7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer printObjectsAsYAML()()
			got := format.Object(test.given, 1)
			if !strings.Contains(got, test.want) || strings.Contains(got, "kubelet") {
				t.Errorf("want %q and no managed fields, got:\n%s", test.want, got)
			}
		})
	}
}
