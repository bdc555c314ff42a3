// SPDX-License-Identifier: Apache-2.0

package logs

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestStartedAgain(t *testing.T) {
	since := time.Unix(1000, 0)
	endedAt := func(seconds int64) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.NewTime(time.Unix(seconds, 0))}}
	}
	for _, test := range []struct {
		name   string
		status corev1.PodStatus
		want   bool
	}{
		{"never", corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "driver"}}}, false},
		{"before", corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "driver", LastTerminationState: endedAt(999)}}}, false},
		{"after", corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "driver", LastTerminationState: endedAt(1001)}}}, true},
		{"another", corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "other", LastTerminationState: endedAt(1001)}}}, false},
		{"one that runs beside others", corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{Name: "driver", LastTerminationState: endedAt(1001)}}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := startedAgain(corev1.Pod{Status: test.status}, "driver", since); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}
