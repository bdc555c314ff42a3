// SPDX-License-Identifier: Apache-2.0

// Package dir keeps a volume as a directory, which several nodes may use at once.
package dir
