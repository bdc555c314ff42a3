// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRaiseLimits(t *testing.T) {
	for _, test := range []struct {
		name      string
		instances string
		want      string
		says      string
	}{
		{"low", "128\n", "1024", "raised fs.inotify.max_user_instances from 128 to 1024"},
		{"high already", "8192\n", "8192\n", ""},
		{"not a number", "many\n", "many\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "max_user_instances")
			if err := os.WriteFile(path, []byte(test.instances), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			raiseLimits(&out, dir)
			if got, _ := os.ReadFile(path); string(got) != test.want {
				t.Errorf("the limit is %q, want %q", got, test.want)
			}
			if !strings.Contains(out.String(), test.says) || (test.says == "") != (out.Len() == 0) {
				t.Errorf("it said %q, want %q", out.String(), test.says)
			}
		})
	}
}

func TestRaiseLimitsThatMayNotBeRaised(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write any file")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "max_user_instances")
	if err := os.WriteFile(path, []byte("128\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	raiseLimits(&out, dir)
	if want := "sudo sysctl fs.inotify.max_user_instances=1024"; !strings.Contains(out.String(), want) {
		t.Errorf("it said %q, want the command %q", out.String(), want)
	}
}
