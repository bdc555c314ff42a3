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
	"strconv"
	"strings"
	"time"

	csisanity "github.com/kubernetes-csi/csi-test/v5/pkg/sanity"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity/options"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

const (
	// sanityPatience is the time limit of csi-sanity for a driver, because it has no limit for single calls. After that,
	// every call fails.
	sanityPatience = time.Minute
	// sanityGrace is the time to wait for an interrupted case.
	sanityGrace = time.Second
)

// Sanity is the result of csi-sanity for a driver.
type Sanity struct {
	// Failed are its cases that failed.
	Failed []string
	// Seconds is its duration.
	Seconds float64
}

// sanityRun is csi-sanity's run against one driver.
type sanityRun struct {
	driver Driver
	config csisanity.TestConfig
	begun  bool
	ends   []func() error // clean-up functions, called in reverse order
	err    error          // the error of a failed start
	said   Sanity
}

// RunSanity runs csi-sanity against the controller and the first node of each driver in turn, like its users: over sockets
// and with the options that the profile has values for. A driver is started with its first case. RunSanity can be called
// once in a process, because Ginkgo runs one suite per process; a process for each driver would cost as much as its cases.
func RunSanity(ctx context.Context, drivers []Driver) ([]Sanity, error) {
	formatter.ColorableStdOut = io.Discard // Ginkgo's own reporter has no other switch
	gomega.RegisterFailHandler(ginkgo.Fail)
	runs := make([]*sanityRun, len(drivers))
	current := &sanityRun{}
	for i, driver := range drivers {
		described, err := driver.profile()
		if err != nil {
			return nil, err
		}
		run := &sanityRun{driver: driver, config: options.Of(described)} // it reads some of them before the first case
		runs[i] = run
		ginkgo.Describe(strconv.Itoa(i), func() {
			ginkgo.BeforeEach(func() {
				if !run.begun {
					run.begun, run.err = true, errors.Join(current.end(), run.begin(ctx))
					current = run
				}
				gomega.Expect(run.err).NotTo(gomega.HaveOccurred())
			})
			context := csisanity.GinkgoTest(&run.config)
			run.ends = append(run.ends, func() error { context.Finalize(); return nil })
		})
	}
	ginkgo.ReportAfterSuite("csi-sanity", func(report ginkgo.Report) {
		for _, spec := range report.SpecReports.WithLeafNodeType(types.NodeTypeIt) {
			i, err := strconv.Atoi(spec.ContainerHierarchyTexts[0])
			if err == nil {
				runs[i].hear(spec)
			}
		}
	})
	suite, terminal := ginkgo.GinkgoConfiguration()
	suite.RandomSeed, suite.GracePeriod = 1, sanityGrace
	suite.Timeout = time.Duration(len(drivers)+1) * sanityPatience
	ginkgo.RunSpecs(quiet{}, "csi-sanity", suite, terminal)
	err := current.end()
	said := make([]Sanity, len(drivers))
	for i, run := range runs {
		slices.Sort(run.said.Failed)
		said[i] = run.said
		err = errors.Join(err, run.err)
		if !run.begun {
			err = errors.Join(err, fmt.Errorf("csi-sanity ended before it came to driver %d of %d", i+1, len(runs)))
		}
	}
	return said, err
}

// begin starts the driver, and configures csi-sanity to use it.
func (r *sanityRun) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sanityPatience)
	r.ends = append(r.ends, func() error { cancel(); return nil })
	started, err := r.driver.start(ctx, 1)
	if err != nil {
		return err
	}
	r.ends = append(r.ends, started.stop)
	// csi-sanity keeps the given pointer, and reads its target later.
	r.config = options.Of(started.target.Profile)
	r.config.Address, r.config.ControllerAddress = started.target.Endpoints[1], started.target.Endpoints[0]
	r.config.DialOptions = append(r.config.DialOptions, grpc.WithUnaryInterceptor(through(ctx, started.nodes[0])))
	r.config.ControllerDialOptions = append(r.config.ControllerDialOptions, grpc.WithUnaryInterceptor(through(ctx, started.target.Controller)))
	r.config.TargetPath, r.config.StagingPath = filepath.Join(started.dir, "mount"), filepath.Join(started.dir, "staging")
	r.config.TestNodeVolumeAttachLimit = true
	r.config.SecretsFile, err = secretsFile(started.dir, started.target.Profile.Secrets)
	return err
}

// through passes every call to the connection, which has the fault. Once ended is done, every call fails.
func through(ended context.Context, conn grpc.ClientConnInterface) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, request, reply any, _ *grpc.ClientConn, _ grpc.UnaryInvoker, options ...grpc.CallOption) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(ended, cancel)()
		return conn.Invoke(ctx, method, request, reply, options...)
	}
}

// end stops the driver.
func (r *sanityRun) end() error {
	var err error
	for _, end := range slices.Backward(r.ends) {
		err = errors.Join(err, end())
	}
	return err
}

// hear records the result of a case.
func (r *sanityRun) hear(spec ginkgo.SpecReport) {
	r.said.Seconds += spec.RunTime.Seconds()
	if spec.Failed() {
		r.said.Failed = append(r.said.Failed, named(spec))
	}
}

// named returns a case's RPC and text: CreateVolume: should fail when no name is provided.
func named(spec ginkgo.SpecReport) string {
	rpc := ""
	if texts := spec.ContainerHierarchyTexts; len(texts) > 0 {
		rpc = strings.TrimSpace(texts[len(texts)-1]) + ": "
	}
	return rpc + spec.LeafNodeText
}

// quiet takes the place of the *testing.T that Ginkgo expects.
type quiet struct{}

func (quiet) Fail() {}

// secretsFile returns the file for csi-sanity's secrets option. It is empty for a driver without secrets.
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
