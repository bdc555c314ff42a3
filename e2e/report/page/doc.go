// SPDX-License-Identifier: Apache-2.0

// Package page shows reports as one HTML file that needs no network: the verdict, what was found by its cause, the zones
// with where volumes and pods were, every case with its calls, and the register of requirements with its coverage.
//
// The page's verdict and findings are HTML; the rest is data, compressed, of which its script makes what is looked at.
// What a driver says is data or text to the page, never markup or script: a content security policy admits the embedded
// script and style alone.
//
// The package knows no cluster and no driver.
package page
