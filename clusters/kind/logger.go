// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"io"

	"sigs.k8s.io/kind/pkg/log"
)

// logger writes kind's messages, line by line, to a step's log.
type logger struct{ out io.Writer }

var _ log.Logger = logger{}

func (l logger) print(message string)              { _, _ = fmt.Fprintln(l.out, message) }
func (l logger) Warn(message string)               { l.print(message) }
func (l logger) Warnf(format string, args ...any)  { l.print(fmt.Sprintf(format, args...)) }
func (l logger) Error(message string)              { l.print(message) }
func (l logger) Errorf(format string, args ...any) { l.print(fmt.Sprintf(format, args...)) }
func (l logger) V(log.Level) log.InfoLogger        { return infoLogger{l} }

type infoLogger struct{ logger }

func (l infoLogger) Info(message string)              { l.print(message) }
func (l infoLogger) Infof(format string, args ...any) { l.print(fmt.Sprintf(format, args...)) }
func (l infoLogger) Enabled() bool                    { return true }
