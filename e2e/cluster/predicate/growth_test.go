package predicate

import "testing"

func TestFileSystemBytes(t *testing.T) {
	const heading = "Filesystem           1024-blocks    Used Available Capacity Mounted on\n"
	tests := []struct {
		name, df  string
		want      int64
		wantError bool
	}{
		{name: "a line of df", df: heading + "/dev/loop3   323584  6224  317360   2% /data\n", want: 323584 * 1024},
		{name: "nothing", df: "", wantError: true},
		{name: "the heading alone", df: heading, wantError: true},
		{name: "too few columns", df: heading + "/dev/loop3 323584 6224\n", wantError: true},
		{name: "no number", df: heading + "/dev/loop3 many 1 1 2% /data\n", wantError: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := FileSystemBytes(test.df)
			if (err != nil) != test.wantError || got != test.want {
				t.Errorf("%d, %v; wanted %d, error: %v", got, err, test.want, test.wantError)
			}
		})
	}
}

func TestGrown(t *testing.T) {
	wantVerdict(t, Grown(300, 600, 300), satisfied)
	wantVerdict(t, Grown(300, 540, 300), satisfied)
	wantVerdict(t, Grown(300, 539, 300), differs)
	wantVerdict(t, Grown(300, 300, 300), differs)
}
