// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	csisanity "github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity/options"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

const (
	// sanityPatience is how long csi-sanity may take for a driver: it has no limit for a call of its own.
	sanityPatience = 2 * time.Minute
	// sanityGrace is how long a case that was interrupted is waited for.
	sanityGrace = time.Second
)

// Sanity is what csi-sanity said of a driver.
type Sanity struct {
	// Failed are its cases that failed.
	Failed []string
	// Seconds is how long it took.
	Seconds float64
}

// RunSanity starts the driver, runs csi-sanity against its controller and its first node, as its users do, over sockets and
// with the options that the profile has values for. It can be called once in a process, as Ginkgo runs one suite in each.
func (d Driver) RunSanity(ctx context.Context) (said Sanity, err error) {
	started, err := d.start(ctx, 1)
	if err != nil {
		return said, err
	}
	defer func() { err = errors.Join(err, started.stop()) }()
	controller, node := filepath.Join(started.dir, "s"), filepath.Join(started.dir, "n")
	stopController, err := serve(ctx, controller, started.target.Controller)
	if err != nil {
		return said, err
	}
	defer stopController()
	stopNode, err := serve(ctx, node, started.nodes[0])
	if err != nil {
		return said, err
	}
	defer stopNode()

	config := options.Of(started.target.Profile)
	config.Address, config.ControllerAddress = "unix://"+node, "unix://"+controller
	config.TargetPath, config.StagingPath = filepath.Join(started.dir, "mount"), filepath.Join(started.dir, "staging")
	config.TestNodeVolumeAttachLimit = true
	if config.SecretsFile, err = secretsFile(started.dir, started.target.Profile.Secrets); err != nil {
		return said, err
	}
	return runSanity(&config), nil
}

// runSanity runs csi-sanity quietly. What failed is in its answer.
func runSanity(config *csisanity.TestConfig) Sanity {
	var said Sanity
	formatter.ColorableStdOut = io.Discard // Ginkgo's own reporter has no other switch
	gomega.RegisterFailHandler(ginkgo.Fail)
	context := csisanity.GinkgoTest(config)
	ginkgo.ReportAfterSuite("csi-sanity", func(run ginkgo.Report) {
		said.Seconds = run.RunTime.Seconds()
		for _, spec := range run.SpecReports.WithLeafNodeType(types.NodeTypeIt) {
			if spec.State.Is(types.SpecStateSkipped | types.SpecStatePending) {
				continue
			}
			if spec.Failed() {
				said.Failed = append(said.Failed, named(spec))
			}
		}
		slices.Sort(said.Failed)
	})
	suite, terminal := ginkgo.GinkgoConfiguration()
	suite.RandomSeed, suite.Timeout, suite.GracePeriod = 1, sanityPatience, sanityGrace
	ginkgo.RunSpecs(quiet{}, "csi-sanity", suite, terminal)
	context.Finalize()
	return said
}

// named is a case's RPC and text: CreateVolume: should fail when no name is provided.
func named(spec ginkgo.SpecReport) string {
	rpc := ""
	if texts := spec.ContainerHierarchyTexts; len(texts) > 0 {
		rpc = strings.TrimSpace(texts[len(texts)-1]) + ": "
	}
	return rpc + spec.LeafNodeText
}

// quiet stands where Ginkgo expects a *testing.T.
type quiet struct{}

func (quiet) Fail() {}

// secretsFile is the file of csi-sanity's option for secrets; empty for a driver without.
func secretsFile(dir string, secrets profile.Secrets) (string, error) {
	of := map[string]map[string]string{
		"CreateVolumeSecret":                         secrets.CreateVolume,
		"DeleteVolumeSecret":                         secrets.DeleteVolume,
		"ControllerPublishVolumeSecret":              secrets.ControllerPublishVolume,
		"ControllerUnpublishVolumeSecret":            secrets.ControllerUnpublishVolume,
		"ControllerValidateVolumeCapabilitiesSecret": secrets.ValidateVolume,
		"ControllerExpandVolumeSecret":               secrets.ControllerExpandVolume,
		"ControllerModifyVolumeSecret":               secrets.ControllerModifyVolume,
		"CreateSnapshotSecret":                       secrets.CreateSnapshot,
		"DeleteSnapshotSecret":                       secrets.DeleteSnapshot,
		"ListSnapshotsSecret":                        secrets.ListSnapshots,
		"NodeStageVolumeSecret":                      secrets.NodeStageVolume,
		"NodePublishVolumeSecret":                    secrets.NodePublishVolume,
	}
	for call, secret := range of {
		if len(secret) == 0 {
			delete(of, call)
		}
	}
	if len(of) == 0 {
		return "", nil
	}
	text, err := yaml.Marshal(of)
	if err != nil {
		return "", fmt.Errorf("encoding csi-sanity's secrets: %w", err)
	}
	file := filepath.Join(dir, "secrets.yaml")
	return file, os.WriteFile(file, text, 0o600)
}
