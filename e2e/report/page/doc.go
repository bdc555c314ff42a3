// SPDX-License-Identifier: Apache-2.0

// Package page shows reports as one HTML file that needs no network: the verdict, the findings by cause, the zones with
// the places of volumes and pods, every case with its calls, and the register of requirements with its coverage.
//
// The page's verdict and findings are HTML; the rest is compressed data that its script renders on demand. The page treats
// a driver's texts as data or text, never as markup or script: a content security policy admits only the embedded script
// and style.
//
// The package depends on no cluster and no driver.
package page
