// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// finished writes the profile and reads it again, which checks that the conversion is valid.
func finished(t *testing.T, c *Conversion) profile.Profile {
	t.Helper()
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	read, err := profile.Parse("converted.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// fields returns the names of the fields that were not carried over.
func fields(c *Conversion) []string {
	var names []string
	for _, left := range c.Left {
		name, _, _ := strings.Cut(left, ":")
		names = append(names, name)
	}
	return names
}

func TestTestDriver(t *testing.T) {
	for _, test := range []struct {
		file string
		want profile.Profile
		left []string
	}{
		{"filestore.yaml", profile.Profile{
			Driver: "filestore.csi.storage.gke.io", VolumeBytes: 1 << 40,
			Timeouts: profile.Timeouts{Provision: 26 * time.Minute, SnapshotReady: 20 * time.Minute},
		}, []string{
			"DriverInfo.Capabilities.RWX", "DriverInfo.Capabilities.exec", "DriverInfo.Capabilities.multiplePVsSameID", "DriverInfo.Capabilities.multipods",
			"DriverInfo.SupportedMountOption", "ShortName", "StorageClass.FromExistingClassName", "Timeouts.PodStart", "Timeouts.PodStartSlow",
		}},
		{"zonal.yaml", profile.Profile{
			Driver: "disk.csi.example.com", VolumeBytes: 4 << 30, GrownBytes: 6 << 30, FsType: "xfs", Block: true,
			Volumes:            []profile.Kind{{Parameters: map[string]string{"type": "ssd"}}},
			SnapshotParameters: map[string]string{"retention": "short"},
			Cluster: &profile.Cluster{
				Topology:      profile.Topology{Zone: "topology.example.com/zone", Region: "topology.example.com/region"},
				ReadWriteMany: &profile.Kind{Parameters: map[string]string{"type": "ssd"}},
			},
		}, []string{
			"ClientNodeName", "DriverInfo.Capabilities.fsGroup", "DriverInfo.NumAllowedTopologies", "DriverInfo.StressTestOptions", "DriverInfo.SupportedFsType.ext4",
			"InlineVolumes", "StorageClass.csi.storage.k8s.io/provisioner-secret-name",
		}},
	} {
		t.Run(test.file, func(t *testing.T) {
			c := &Conversion{}
			if err := c.TestDriver(filepath.Join("testdata", test.file)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, finished(t, c)); diff != "" {
				t.Errorf("the profile (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.left, fields(c)); diff != "" {
				t.Errorf("what was left (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTestDriverRefuses(t *testing.T) {
	for _, test := range []struct{ name, given, want string }{
		{"no YAML", "DriverInfo: [", "reading "},
		{"no name", "DriverInfo: {}", "no DriverInfo.Name"},
		{"a size that is none", "DriverInfo: {Name: a, SupportedSizeRange: {Min: much}}", `DriverInfo.SupportedSizeRange.Min is "much"`},
		{"a word for capabilities", "DriverInfo: {Name: a, Capabilities: all}", "DriverInfo.Capabilities: "},
		{"an access mode that does not exist", "DriverInfo: {Name: a, RequiredAccessModes: [RWO]}", `"RWO" is not an access mode`},
		{"a timeout without a unit", "DriverInfo: {Name: a}\nTimeouts: {PVCreate: '5'}", `PVCreate is "5": want a duration`},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "driver.yaml")
			if err := os.WriteFile(file, []byte(test.given), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := (&Conversion{}).TestDriver(file); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestAccessModes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "driver.yaml")
	if err := os.WriteFile(file, []byte("driverInfo: {name: a, requiredAccessModes: [ReadWriteMany, ReadOnlyMany], colour: red}"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Conversion{}
	if err := c.TestDriver(file); err != nil {
		t.Fatal(err)
	}
	if got := finished(t, c).Plain().Mode().String(); got != "MULTI_NODE_MULTI_WRITER" {
		t.Errorf("got %s", got)
	}
	if diff := cmp.Diff([]string{"driverInfo.colour", "driverInfo.requiredAccessModes.ReadOnlyMany"}, fields(c)); diff != "" {
		t.Errorf("what was left (-want +got):\n%s", diff)
	}
}

func TestSanity(t *testing.T) {
	c := &Conversion{}
	c.Profile.Driver = "csi.example.com"
	if err := c.Sanity([]string{
		"-csi.endpoint=/csi/node.sock", "--csi.controllerendpoint", "dns:///localhost:10000", "-csi.testvolumesize", "1048576", "-csi.testvolumeexpandsize=2097152",
		"-csi.testvolumeparameters=testdata/parameters.yaml", "-csi.secrets=testdata/secrets.yaml", "-csi.testvolumeaccesstype=block", "-csi.mountdir=/var/lib/csi/target",
		"-csi.testnodevolumeattachlimit", "-ginkgo.v", "-ginkgo.focus", "Node", "-csi.stagingdir=/tmp/s", "-csi.testvolumesise=1",
	}); err != nil {
		t.Fatal(err)
	}
	token := map[string]string{"token": "example"}
	want := profile.Profile{
		Driver: "csi.example.com", VolumeBytes: 1 << 20, GrownBytes: 2 << 20, Block: true,
		Endpoints:   profile.Endpoints{Controller: "dns:///localhost:10000", Nodes: []string{"/csi/node.sock"}},
		Volumes:     []profile.Kind{{Parameters: map[string]string{"type": "hdd", "replicas": "2"}}},
		Directories: profile.Directories{Root: "/var/lib/csi"},
		Secrets:     profile.Secrets{CreateVolume: token, ValidateVolume: token},
	}
	if diff := cmp.Diff(want, finished(t, c)); diff != "" {
		t.Errorf("the profile (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"-csi.secrets GetSnapshotSecret", "-csi.stagingdir", "-csi.testnodevolumeattachlimit", "-csi.testvolumesise", "-ginkgo.focus", "-ginkgo.v"}, fields(c)); diff != "" {
		t.Errorf("what was left (-want +got):\n%s", diff)
	}
}

func TestSanityOfOneEndpoint(t *testing.T) {
	c := &Conversion{}
	c.Profile.Driver = "csi.example.com"
	if err := c.Sanity([]string{"-csi.endpoint=/csi/csi.sock"}); err != nil {
		t.Fatal(err)
	}
	got := finished(t, c)
	if want := (profile.Endpoints{Controller: "/csi/csi.sock", Nodes: []string{"/csi/csi.sock"}}); !cmp.Equal(want, got.Endpoints) || got.VolumeBytes != 10<<30 {
		t.Errorf("got %+v", got)
	}
}

func TestSanityRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{"no flag", []string{"csi.endpoint"}, `"csi.endpoint" is not a flag`},
		{"no value", []string{"-csi.endpoint"}, "-csi.endpoint has no value"},
		{"a size that is none", []string{"-csi.testvolumesize=1Gi"}, "want a positive number of bytes"},
		{"a file that does not exist", []string{"-csi.secrets=nowhere.yaml"}, "open nowhere.yaml"},
		{"a type that does not exist", []string{"-csi.testvolumeaccesstype=file"}, "want mount or block"},
		{"a relative directory", []string{"-csi.mountdir=mnt"}, "want an absolute path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := (&Conversion{}).Sanity(test.given); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	if err := (&Conversion{}).Finish(); err == nil || !strings.Contains(err.Error(), "pass --driver") {
		t.Errorf("no name: got %v", err)
	}
}
