// SPDX-License-Identifier: Apache-2.0

// Package trace is a proxy between a CSI driver and its callers that records every call and, on request, answers in the
// driver's place.
//
// A [Proxy] listens on one Unix socket and forwards calls to another. It forwards the bytes of messages, so that calls of
// any version of CSI arrive unchanged, including unknown ones. Each connection has a separate connection to the driver, so
// that the caller notices the end of the driver as it would without the proxy. A missing driver looks like one that is slow
// to answer, for as long as the proxy is configured to wait.
//
// A [Recorder] writes one [Call] for each call, without secrets, and keeps the most recent ones. [Rules] decide which calls
// are answered differently. [Handler] serves both over HTTP, and a [Client] uses them.
//
// The package is independent of Kubernetes.
package trace
