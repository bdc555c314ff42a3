package volume

import (
	"errors"
	"testing"
)

func TestRefusedGrowth(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  bool
	}{
		{name: "ext4 without CAP_SYS_RESOURCE", given: "resize2fs: Permission denied to resize filesystem", want: true},
		{name: "xfs without CAP_SYS_ADMIN", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: Operation not permitted", want: true},
		{name: "mounted read-only", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: Read-only file system", want: true},
		{name: "no room", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: No space left on device"},
		{name: "no program", given: `executable file not found in $PATH`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := refusedGrowth(errors.New(test.given)); got != test.want {
				t.Errorf("refusedGrowth(%q) = %t, want %t", test.given, got, test.want)
			}
		})
	}
}
