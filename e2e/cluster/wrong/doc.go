// Package wrong has the wrong drivers by which the cases of the cluster tier are shown to fail: each is the right driver
// behind recording proxies that change what is asked of it or what it answers. Beside them are wrong schedulers, for the
// cases that grade the platform. It knows the cases by their ids alone.
package wrong
