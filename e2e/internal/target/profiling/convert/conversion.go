// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/internal/target/profiling/draft"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Conversion is a profile under construction.
type Conversion struct {
	draft.Draft
	// Left lists everything that was not carried over: a field or flag with its value in the source, and the reason, or
	// where it belongs.
	Left []string
}

// left records that the field was not carried over.
func (c *Conversion) left(field, format string, args ...any) {
	c.Left = append(c.Left, field+": "+fmt.Sprintf(format, args...))
}

// Finish completes the draft once all sources are converted.
func (c *Conversion) Finish() error {
	if c.Profile.Driver == "" {
		return errors.New("nothing names the driver: pass --driver, as csi-sanity's flags do not, or a test-driver file with DriverInfo.Name")
	}
	const sanityBytes = 10 << 30 // csi-sanity's own default
	if c.Profile.VolumeBytes == 0 {
		c.Profile.VolumeBytes = sanityBytes
		c.Note("volumeBytes", "Not given: this is csi-sanity's default.")
	}
	c.checkGrowth()
	if len(c.Left) == 0 {
		c.Head = append(c.Head, "Everything was carried over.")
		return nil
	}
	slices.Sort(c.Left)
	c.Head = append(c.Head, "Not carried over:")
	for _, left := range c.Left {
		c.Head = append(c.Head, "- "+left)
	}
	return nil
}

// checkGrowth drops the sizes of the two sources if the profile refuses the combination.
func (c *Conversion) checkGrowth() {
	if c.Profile.GrownBytes != 0 && c.Profile.GrownBytes <= c.Profile.VolumeBytes {
		c.left("the size that volumes grow to", "%d bytes is not more than the %d that they have", c.Profile.GrownBytes, c.Profile.VolumeBytes)
		c.Profile.GrownBytes = 0
	}
}

// plain returns the first kind of volume, which it adds if there is none.
func (c *Conversion) plain() *profile.Kind {
	if len(c.Profile.Volumes) == 0 {
		c.Profile.Volumes = []profile.Kind{{}}
	}
	return &c.Profile.Volumes[0]
}

// readYAML reads a YAML file of a source.
func readYAML(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading what is named there: %w", err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("reading %s: %s", path, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return nil
}

// beside returns the path of a file that another file names: relative to the working directory, as in the suites, or
// otherwise to the other file's directory.
func beside(other, file string) string {
	if _, err := os.Stat(file); err == nil || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(other), file)
}
