// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// TestDriver converts the test-driver file, in the form of k8s.io/kubernetes/test/e2e/storage/external.
func (c *Conversion) TestDriver(path string) error {
	var file map[string]json.RawMessage
	if err := readYAML(path, &file); err != nil {
		return fmt.Errorf("importing the test-driver file %s: %w", path, err)
	}
	source := &testDriver{Conversion: c, path: path}
	if err := source.take("", file, map[string]taker{
		"driverinfo":            source.driverInfo,
		"storageclass":          source.storageClass,
		"snapshotclass":         source.snapshotClass,
		"volumeattributesclass": source.attributesClass,
		"timeouts":              source.timeouts,
		"inlinevolumes":         source.leave("csi-topo has no case for inline ephemeral volumes"),
		"clientnodename":        source.leave("csi-topo chooses nodes by their topology"),
		"shortname":             source.leave("it is only shown by that suite"),
	}); err != nil {
		return fmt.Errorf("importing the test-driver file %s: %w", path, err)
	}
	source.combine()
	if c.Profile.Driver == "" {
		return fmt.Errorf("importing the test-driver file %s: it has no DriverInfo.Name: want the driver's CSI name there", path)
	}
	return nil
}

// testDriver is the file at the path.
type testDriver struct {
	*Conversion
	path string
	// readWriteMany is the capability RWX, classFsType the file system of the StorageClass, and supported the driver's
	// file systems, in order, "" for its default: their meaning depends on other fields.
	readWriteMany bool
	classFsType   string
	supported     []string
}

// taker converts the value of a field. field is the field's name in the file.
type taker func(field string, value json.RawMessage) error

// take calls the taker of each field. As in that suite, names are case-insensitive.
func (s *testDriver) take(prefix string, object map[string]json.RawMessage, takers map[string]taker) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		known, found := takers[strings.ToLower(name)]
		if !found {
			s.left(prefix+name, "that suite's file has no such field")
			continue
		}
		if err := known(prefix+name, object[name]); err != nil {
			return fmt.Errorf("%s%s: %w", prefix, name, err)
		}
	}
	return nil
}

func (s *testDriver) leave(why string) taker {
	return func(field string, _ json.RawMessage) error {
		s.left(field, "%s", why)
		return nil
	}
}

// decoded returns a taker that decodes the value to the type of take.
func decoded[T any](take func(field string, value T) error) taker {
	return func(field string, raw json.RawMessage) error {
		var value T
		if err := json.Unmarshal(raw, &value); err != nil {
			return fmt.Errorf("%s is no %T", raw, value)
		}
		return take(field, value)
	}
}

func (s *testDriver) driverInfo(field string, raw json.RawMessage) error {
	const stress = "csi-topo has no stress or performance tests"
	return decoded(func(_ string, info map[string]json.RawMessage) error {
		return s.take(field+".", info, map[string]taker{
			"name":                            decoded(s.name),
			"supportedsizerange":              decoded(s.sizes),
			"supportedfstype":                 decoded(s.fileSystems),
			"capabilities":                    decoded(s.capabilities),
			"requiredaccessmodes":             decoded(s.accessModes),
			"topologykeys":                    decoded(s.topologyKeys),
			"numallowedtopologies":            decoded(s.allowedTopologies),
			"supportedmountoption":            s.leave("csi-topo mounts without options"),
			"requiredmountoption":             s.leave("csi-topo mounts without options, so that cases which mount may fail"),
			"intreepluginname":                s.leave("csi-topo asks CSI drivers alone"),
			"featuretag":                      s.leave("it chooses tests of that suite"),
			"testtags":                        s.leave("they choose tests of that suite"),
			"maxfilesize":                     s.leave("csi-topo writes a few bytes to a volume"),
			"stresstestoptions":               s.leave(stress),
			"volumesnapshotstresstestoptions": s.leave(stress),
			"volumemodifystresstestoptions":   s.leave(stress),
			"performancetestoptions":          s.leave(stress),
		})
	})(field, raw)
}

func (s *testDriver) name(_, driver string) error {
	s.Profile.Driver = driver
	return nil
}

// sizes uses the smallest size as the size of volumes, like that suite.
func (s *testDriver) sizes(field string, given struct{ Min, Max string }) error {
	const otherwise = "5Gi" // of that suite
	smallest, err := bytesOf(field+".Min", given.Min, otherwise)
	if err != nil {
		return err
	}
	s.Profile.VolumeBytes = smallest
	if given.Max == "" {
		return nil
	}
	largest, err := bytesOf(field+".Max", given.Max, "")
	if err != nil {
		return err
	}
	if largest < 2*smallest && largest > smallest {
		s.Profile.GrownBytes = largest
	}
	s.Note("grownBytes", "%s says that volumes have up to %d bytes.", field, largest)
	return nil
}

func bytesOf(field, given, otherwise string) (int64, error) {
	if given == "" {
		given = otherwise
	}
	quantity, err := resource.ParseQuantity(given)
	if err != nil || quantity.Value() <= 0 {
		return 0, fmt.Errorf("%s is %q: want a positive quantity such as 5Gi", field, given)
	}
	return quantity.Value(), nil
}

func (s *testDriver) fileSystems(_ string, given map[string]any) error {
	s.supported = slices.Sorted(maps.Keys(given))
	return nil
}

func (s *testDriver) accessModes(field string, modes []string) error {
	names := map[string]string{
		"ReadWriteMany": "MULTI_NODE_MULTI_WRITER", "ReadOnlyMany": "MULTI_NODE_READER_ONLY", "ReadWriteOncePod": "SINGLE_NODE_SINGLE_WRITER",
	}
	for i, mode := range modes {
		name, other := names[mode]
		switch {
		case !other && mode != "ReadWriteOnce":
			return fmt.Errorf("%q is not an access mode of Kubernetes", mode)
		case i > 0:
			s.left(field+"."+mode, "a kind of volume has one access mode")
		case other:
			s.plain().AccessMode = profile.AccessModeOf(name)
		}
	}
	return nil
}

func (s *testDriver) topologyKeys(_ string, keys []string) error {
	if len(keys) > 0 {
		s.cluster().Topology = profile.TopologyOf(keys, nil)
	}
	return nil
}

// cluster returns the section of the cluster tier, which it adds if there is none.
func (s *testDriver) cluster() *profile.Cluster {
	if s.Profile.Cluster == nil {
		s.Profile.Cluster = &profile.Cluster{}
	}
	return s.Profile.Cluster
}

func (s *testDriver) allowedTopologies(field string, number int) error {
	if number > 1 {
		s.left(field, "it is %d: set accessibleFrom: %d for the kind of volume that the StorageClass asks for, and add another kind with accessibleFrom: 1, if the driver has one", number, number)
	}
	return nil
}

func (s *testDriver) timeouts(field string, raw json.RawMessage) error {
	return decoded(func(_ string, given map[string]string) error {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			value, err := time.ParseDuration(given[name])
			if err != nil || value <= 0 {
				return fmt.Errorf("%s is %q: want a duration such as 5m", name, given[name])
			}
			switch name {
			case "ClaimProvision", "DataSourceProvision", "PVCreate", "PVDelete", "SnapshotDelete":
				s.Profile.Timeouts.Provision = max(s.Profile.Timeouts.Provision, value)
			case "SnapshotCreate":
				s.Profile.Timeouts.SnapshotReady = value
			default:
				s.left(field+"."+name, "csi-topo limits calls, and what waits for several of them by a multiple of timeouts.provision")
			}
		}
		return nil
	})(field, raw)
}
