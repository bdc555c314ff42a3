// SPDX-License-Identifier: Apache-2.0

package metrics

import "testing"

func TestMetricsPort(t *testing.T) {
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{"none", []string{"--csi-address=/csi/csi.sock"}, ""},
		{"a port", []string{"--http-endpoint=:8080"}, "8080"},
		{"one hyphen, and the value apart", []string{"-metrics-address", "0.0.0.0:8081"}, "8081"},
		{"for itself alone", []string{"--http-endpoint=127.0.0.1:8080"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := metricsPort(test.given); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
