package runner

import "runtime/debug"

// build is the suite's version and commit as far as the binary knows them.
func build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			commit = setting.Value
		}
	}
	return info.Main.Version, commit
}
