// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"github.com/spf13/pflag"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // --logging-format=json
)

// logging holds the verbosity and the format of the log, with the flags of Kubernetes
// components.
type logging struct {
	configuration *logsapi.LoggingConfiguration
}

func newLogging() logging {
	return logging{configuration: logsapi.NewLoggingConfiguration()}
}

// add adds only two of the flags: the others are of no use in a container.
func (l logging) add(flags *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	logsapi.AddFlags(l.configuration, all)
	flags.AddFlag(all.Lookup("v"))
	flags.AddFlag(all.Lookup("logging-format"))
}

// apply configures the loggers of the whole process, which is possible only once.
func (l logging) apply() error {
	return logsapi.ValidateAndApply(l.configuration, nil)
}
