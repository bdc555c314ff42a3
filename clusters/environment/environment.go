// SPDX-License-Identifier: Apache-2.0

// Package environment sets up everything that the cluster tier needs: a container engine, images, a kind cluster of a
// layout, and a driver in it. It removes them in reverse order. It knows neither particular drivers nor cases.
package environment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient"

	"github.com/csi-topo/csi-topo/clusters/client"
	"github.com/csi-topo/csi-topo/clusters/engine"
	"github.com/csi-topo/csi-topo/clusters/kind"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// downWithin limits how long removing the cluster may take, also after an interrupt.
const downWithin = 2 * time.Minute

// Environment is a running cluster with a driver.
type Environment struct {
	// Name of the cluster; Kubeconfig is the file to reach it with.
	Name, Kubeconfig string
	// REST and Client reach it from Go.
	REST   *rest.Config
	Client klient.Client
	// Workload is the image that the cases' pods run.
	Workload string
	// Reused reports that the cluster existed before.
	Reused bool
	// Progress receives the phases of setup and removal.
	Progress *progress.Reporter

	plan    *plan
	engine  *engine.Engine
	cluster *kind.Cluster
	images  *nodeimage.Images
	release func()
}

// Up creates an environment, or reuses a running cluster of the same layout and version and installs the driver on it
// again. If it fails, it exports the logs below logs and removes what it created.
func Up(ctx context.Context, o Options, logs string) (*Environment, error) {
	p, err := o.check()
	if err != nil {
		return nil, err
	}
	e, err := begin(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := e.up(ctx); err != nil {
		err = errors.Join(err, e.ExportLogs(ctx, logs))
		return nil, errors.Join(err, e.Down(ctx, false))
	}
	return e, nil
}

// begin claims a name and finds an engine. It creates nothing else.
func begin(ctx context.Context, p *plan) (*Environment, error) {
	name, release, err := p.claim()
	if err != nil {
		return nil, err
	}
	e := &Environment{
		Name: name, plan: p, release: release,
		Progress: progress.New(p.Out, p.cache.Path("logs", name)),
	}
	err = e.Progress.Step(ctx, "finding a container engine", func(ctx context.Context, log io.Writer) (err error) {
		e.engine, err = engine.Ensure(ctx, engine.Options{Out: io.MultiWriter(log, indented{p.Out}), CacheDir: p.cache.Path()})
		return err
	})
	if err != nil {
		release()
		return nil, err
	}
	// kind finds the engine only by the process's environment.
	for _, entry := range e.engine.Env() {
		if err := setenv(entry); err != nil {
			return nil, errors.Join(err, e.close(ctx))
		}
	}
	return e, nil
}

func (e *Environment) up(ctx context.Context) error {
	found := e.describe(&nodeimage.Images{})
	running, err := found.Running()
	if err != nil {
		return err
	}
	if running != nil && running.Kept {
		e.Reused = true // It existed before: Down must leave it, even if it does not fit.
		if err := found.Fits(running); err != nil {
			return err
		}
	}
	if err := e.checkInstalled(); err != nil {
		return err
	}
	if err := e.removeLeft(ctx, running); err != nil {
		return err
	}
	builder := e.builder()
	builder.Runs = e.plan.Driver.Runs
	if e.images, err = builder.Ensure(ctx, e.plan.Kubernetes, e.plan.mode, e.plan.Driver.Programs); err != nil {
		return err
	}
	e.cluster = e.describe(e.images)
	if !e.Reused {
		if err := e.create(ctx); err != nil {
			return err
		}
	}
	if err := e.connect(); err != nil {
		return err
	}
	return e.installDriver(ctx)
}

func (e *Environment) create(ctx context.Context) error {
	return e.Progress.Step(ctx, fmt.Sprintf("creating kind cluster %s with %d nodes", e.Name, 1+len(e.plan.layout.Nodes())), func(ctx context.Context, log io.Writer) error {
		cluster := e.logged(log)
		if _, err := cluster.Create(ctx); err != nil {
			return err
		}
		if err := e.connect(); err != nil {
			return err
		}
		return cluster.WaitForControlPlane(ctx, e.Client)
	})
}

func (e *Environment) connect() error {
	e.Kubeconfig, e.Workload = e.cluster.GetKubeconfig(), e.images.Workload
	if e.REST = e.cluster.KubernetesRestConfig(); e.REST == nil {
		return fmt.Errorf("reading the kubeconfig %s: it does not exist or is not valid", e.Kubeconfig)
	}
	reached, err := client.New(e.REST)
	if err != nil {
		return fmt.Errorf("connecting to cluster %s: %w", e.Name, err)
	}
	e.Client = reached
	return nil
}

// Down removes the cluster, unless keep is true or it existed before, and releases the engine.
func (e *Environment) Down(ctx context.Context, keep bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), downWithin)
	defer cancel()
	var err error
	switch {
	case e.Reused || e.cluster == nil:
	case keep:
		err = e.cluster.Keep()
	default:
		err = e.Progress.Step(ctx, "deleting kind cluster "+e.Name, func(ctx context.Context, log io.Writer) error {
			return e.logged(log).Destroy(ctx)
		})
	}
	return errors.Join(err, e.close(ctx))
}

func (e *Environment) close(ctx context.Context) error {
	e.release()
	return e.engine.Release(ctx)
}

// ExportLogs writes the logs of every node and pod below dir; without a cluster there are none.
func (e *Environment) ExportLogs(ctx context.Context, dir string) error {
	if e.cluster == nil {
		return nil
	}
	return e.Progress.Step(ctx, "keeping the cluster's logs in "+dir, func(ctx context.Context, log io.Writer) error {
		return e.logged(log).ExportLogs(ctx, dir)
	})
}

// EngineEnv returns the variables, as NAME=value, with which docker reaches the engine of the nodes.
func (e *Environment) EngineEnv() []string { return e.engine.Env() }

// StopNode stops a worker of the cluster as a loss of power would.
func (e *Environment) StopNode(ctx context.Context, node string) error {
	return e.cluster.StopNode(ctx, node)
}

// StartNode starts a stopped worker again. It does not wait for the node to be ready.
func (e *Environment) StartNode(ctx context.Context, node string) error {
	return e.cluster.StartNode(ctx, node)
}

// RestartKubelet restarts the kubelet of a worker. It does not wait for the node to be
// ready.
func (e *Environment) RestartKubelet(ctx context.Context, node string) error {
	return e.cluster.RestartKubelet(ctx, node)
}

func (e *Environment) builder() *nodeimage.Builder {
	return &nodeimage.Builder{Source: e.plan.Source, Cache: e.plan.cache, Progress: e.Progress, EngineEnv: e.engine.Env(), Prefix: e.plan.Prefix}
}

// describe returns the cluster to create, with the given images.
func (e *Environment) describe(images *nodeimage.Images) *kind.Cluster {
	return kind.New(e.clusterOptions(e.Name, images, io.Discard))
}

// logged returns the cluster, with log as its log.
func (e *Environment) logged(log io.Writer) *kind.Cluster {
	return kind.New(e.clusterOptions(e.Name, e.images, log))
}

func (e *Environment) clusterOptions(name string, images *nodeimage.Images, log io.Writer) kind.Options {
	return kind.Options{
		Name: name, Layout: e.plan.layout, Kubernetes: e.plan.Kubernetes,
		Image: images.Node, Built: images.Built,
		Host: kind.Host{CgroupV1: e.engine.Facts.CgroupV1, LacksSysResource: e.engine.Facts.LacksSysResource},
		Dir:  e.plan.dirOf(name), Log: log,
	}
}

// dir returns the cluster's own directory, which is removed with it.
func (e *Environment) dir() string { return e.plan.dirOf(e.Name) }

func (p *plan) dirOf(name string) string { return p.cache.Path("clusters", name) }

func paths(archives []nodeimage.Archive) []string {
	var list []string
	for _, archive := range archives {
		list = append(list, archive.Path)
	}
	return list
}
