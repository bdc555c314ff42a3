// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"testing"

	"github.com/moby/sys/mountinfo"
)

func TestCheckFileSystem(t *testing.T) {
	for _, test := range []struct {
		name       string
		mount, all string // options of the mount, and of the file system
		path       string
		want       string
	}{
		{name: "as it should be", mount: "rw,relatime", all: "rw,errors=remount-ro"},
		{name: "read-only, as asked", mount: "ro,relatime", all: "ro"},
		{name: "read-only", mount: "rw,relatime", all: "ro,errors=remount-ro", want: "FileSystemReadOnly"},
		{name: "read-only in an emergency", mount: "rw,relatime", all: "rw,emergency_ro", want: "FileSystemReadOnly"},
		{name: "shut down", mount: "rw,relatime", all: "rw,shutdown", want: "FileSystemShutDown"},
		{name: "not to be read", mount: "rw", all: "rw", path: "/nowhere/at/all", want: "FileSystemShutDown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = t.TempDir()
			}
			problems := CheckFileSystem(&mountinfo.Info{Options: test.mount, VFSOptions: test.all}, path)
			got := ""
			for _, p := range problems {
				got += p.Reason
			}
			if got != test.want {
				t.Errorf("found %+v, want %q", problems, test.want)
			}
		})
	}
}
