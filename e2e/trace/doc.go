// SPDX-License-Identifier: Apache-2.0

// Package trace stands between a CSI driver and its callers, records every call, and on request answers instead of the
// driver.
//
// A [Proxy] listens on one Unix socket and forwards what arrives to another. It passes on the bytes of messages, so
// that calls of any version of CSI arrive unchanged, also those that it does not know. Each connection has a connection
// of its own to the driver, so that the caller notices the end of the driver as it would without the proxy. A driver
// that is not there looks like one that is slow to answer, for as long as the proxy is told to wait.
//
// A [Recorder] writes one [Call] for each call, without secrets, and keeps the last ones. [Rules] decide which calls
// are answered differently. [Handler] serves both over HTTP, and a [Client] uses them.
//
// The package knows nothing about Kubernetes.
package trace
