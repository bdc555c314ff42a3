// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/internal/privileged"
)

// TestOpenDeviceMakesItsFile checks that a loop device that the kernel added later, which has no file in a container's
// /dev yet, can be opened.
func TestOpenDeviceMakesItsFile(t *testing.T) {
	privileged.NeedDisks(t)
	control, err := os.OpenFile(loopControl, os.O_RDWR, 0)
	must(t, "open the loop driver", err)
	t.Cleanup(func() { _ = control.Close() })
	number := 1<<19 + os.Getpid()%1000
	must(t, "add a device", unix.IoctlSetInt(int(control.Fd()), unix.LOOP_CTL_ADD, number))
	name := fmt.Sprintf("loop%d", number)
	t.Cleanup(func() {
		must(t, "remove the device", unix.IoctlSetInt(int(control.Fd()), unix.LOOP_CTL_REMOVE, number))
		if err := os.Remove("/dev/" + name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
	must(t, "take its file", os.Remove("/dev/"+name))
	device, err := openDevice(name, os.O_RDONLY)
	must(t, "open", err)
	defer device.Close()
	if status, err := statusOf(device); err != nil || status != nil {
		t.Errorf("the device is attached to %+v (%v), want nothing", status, err)
	}
	for _, name := range []string{"loop999999", "../" + name + "/none"} {
		if _, err := openDevice(name, os.O_RDONLY); err == nil {
			t.Errorf("%s was opened, which there is not", name)
		}
	}
}
