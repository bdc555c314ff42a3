# Settings, as in: make e2e LAYOUT=zones KEEP=always
REPORT_DIR ?= _report
LAYOUT ?= zones
PROFILE ?= hostpath-topo
KUBERNETES ?=
NAME ?=
KEEP ?= never
SLOW ?=
VERBOSE ?=
IMAGES ?= auto
FOCUS ?=
LABEL ?=
SEED ?=
FUZZTIME ?= 10s
export FOCUS

# What go compiled in one clone serves every other: without paths in it, the build cache knows it again.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

csi_topo = _bin/csi-topo
kubernetes_flag = $(if $(KUBERNETES),--kubernetes '$(KUBERNETES)')
name_flag = $(if $(NAME),--name '$(NAME)')
# The Job is shown with the reference driver. It runs as on a cluster that others use, which has two zones at least.
job = $(if $(FOCUS)$(filter one-zone,$(LAYOUT)),,$(if $(filter hostpath-topo%,$(PROFILE)),--job))
# The spec tier reaches one controller and all nodes, not a controller on each.
spec = $(if $(FOCUS),,$(if $(filter hostpath-topo,$(PROFILE)),--spec))
cluster_flags = --layout '$(LAYOUT)' --profile '$(PROFILE)' $(kubernetes_flag) --images '$(IMAGES)' $(name_flag)
slow = $(filter-out 0 no false,$(SLOW))
verbose = $(filter-out 0 no false,$(VERBOSE))

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets and their settings
	@echo 'Targets'
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'Settings'
	@printf '  %-22s %s\n' \
		'REPORT_DIR=$(REPORT_DIR)' 'where the report goes' \
		'LAYOUT=$(LAYOUT)' 'regions, zones and nodes: a name in clusters/layout, or a file' \
		'PROFILE=$(PROFILE)' 'the driver: a name in fixtures/profiles, or a file' \
		'KUBERNETES=MINOR' 'Kubernetes of the cluster, when it is not to be the newest' \
		'NAME=$(NAME)' 'name of the cluster, when it must not be chosen for you' \
		'KEEP=$(KEEP)' 'leave the cluster and the engine running after make e2e: never, on-failure or always' \
		'SLOW=1' 'also run the cases that take minutes' \
		'VERBOSE=1' 'print a line for each case, also for those that pass' \
		'IMAGES=$(IMAGES)' 'auto, build or pull: where node and sidecar images come from' \
		'FOCUS=REGEXP' 'only the cases it matches' \
		'LABEL=smoke' 'only the cases with this label: smoke is a short run' \
		'SEED=N' 'the order of an earlier run' \
		'FUZZTIME=$(FUZZTIME)' 'how long make fuzz takes for each'

.PHONY: verify
verify: ## Check format, lint, scripts, workflows, modules and the report page
	@scripts/verify.sh

.PHONY: format
format: ## Format Go files and scripts as verify requires
	@go tool -modfile=tools.mod golangci-lint fmt
	@scripts/license-headers.sh
	@go tool -modfile=tools.mod shfmt -w $$(git ls-files -co --exclude-standard -- '*.sh' .ci/run)

.PHONY: generate
generate: ## Write what follows from the code: the schema of a profile, the pages on profiles, requirements, the specification and conformance, and the vectors
	@go generate ./e2e/... ./vectors/...

.PHONY: tidy
tidy: ## Update go.mod and tools.mod to what the code needs
	@scripts/tidy.sh

.PHONY: test
test: $(csi_topo) ## Run the unit tests and the spec tier: needs only Go
	@scripts/test.sh
	@exec $(csi_topo) spec --report-dir '$(REPORT_DIR)/spec'

# exec, so that Ctrl-C and a signal to make reach the command itself.
.PHONY: e2e
e2e: $(csi_topo) ## Bring up a multi-zone cluster, verify the driver of PROFILE on it, remove it
	@exec $(csi_topo) cluster --report-dir '$(REPORT_DIR)' $(cluster_flags) \
		$(spec) $(job) --keep '$(KEEP)' $(if $(slow),--slow) $(if $(verbose),--verbose) $(if $(FOCUS),--focus "$$FOCUS") $(if $(LABEL),--label '$(LABEL)') $(if $(SEED),--seed '$(SEED)')

.PHONY: e2e-matrix
e2e-matrix: $(csi_topo) ## Run make e2e on every Kubernetes minor and layout, one after another, and join the reports
	@REPORT_DIR='$(REPORT_DIR)' IMAGES='$(IMAGES)' scripts/e2e-matrix.sh

.PHONY: fuzz
fuzz: ## Fuzz every RPC of the driver and the oracle for FUZZTIME each, or only the targets that FOCUS matches
	@FUZZTIME='$(FUZZTIME)' scripts/fuzz.sh

.PHONY: bench-driver
bench-driver: ## Compare the driver with 10,000 volumes with the driver with 100: TURNS=N for how long
	@TURNS='$(TURNS)' scripts/bench-driver.sh

.PHONY: bench-spec
bench-spec: ## Time the spec tier beside csi-sanity, with 1 to 256 segments, and on a slow driver: TURNS=N for how often, SLOW=0 for the first alone
	@TURNS='$(TURNS)' scripts/bench-spec.sh

.PHONY: bench-scale
bench-scale: ## Measure what topology and capacity cost with many segments, TURNS=N times each; long experiments run only if FOCUS names them
	@go build -o _bin/scale ./e2e/cmd/scale
	@exec _bin/scale $(if $(FOCUS),--focus "$$FOCUS") $(if $(TURNS),--turns '$(TURNS)')

.PHONY: test-register
test-register: ## Check that the register, the specification, the cases and the faulty drivers agree
	@go test -run Register ./e2e/requirement/... ./e2e/mutation/catalogue ./e2e/cmd/ledger ./e2e/cmd/csi-topo

.PHONY: test-page
test-page: ## Open report pages in a headless Chromium: SCREENSHOTS=DIR keeps pictures of them
	@SCREENSHOTS='$(abspath $(SCREENSHOTS))' scripts/test-page.sh

.PHONY: test-seeds
test-seeds: ## Run the spec tier with 50 seeds, or RUNS=N, and the race detector: the verdicts must be the same
	@RUNS='$(RUNS)' scripts/seeds.sh

.PHONY: mutation
mutation: ## Run the spec tier against every wrong and every right driver: ALL=1 also runs csi-sanity, and all combinations on each right driver
	@go build -o _bin/mutation ./e2e/cmd/mutation
	@exec _bin/mutation --report-dir '$(REPORT_DIR)/mutation' $(if $(filter-out 0 no false,$(ALL)),--all) $(if $(FOCUS),--focus "$$FOCUS")

external_storage = _bin/external-storage
.PHONY: mutation-cluster
mutation-cluster: $(csi_topo) ## Run the cluster tier, and Kubernetes' own suite, on a cluster, against deliberate faults, for hours: MISSING=1 continues an earlier run
	@go build -o _bin/mutation-cluster ./e2e/cmd/mutation-cluster
	@CGO_ENABLED=0 go test -C e2e/mutation/kubernetes -trimpath -c -o '$(abspath $(external_storage))' .
	@exec _bin/mutation-cluster --report-dir '$(REPORT_DIR)/mutation-cluster' --kubernetes-suite $(external_storage) \
		$(if $(NAME),--name '$(NAME)') $(if $(filter always,$(KEEP)),--keep) \
		$(if $(FOCUS),--focus "$$FOCUS") $(if $(MISSING),--missing)

.PHONY: test-right-seeds
test-right-seeds: ## Run 100 generated requests, or STEPS=N, with 100 seeds from 1, or RUNS=N from SEED=N, against every right driver, or those that FOCUS matches
	@go build -o _bin/mutation ./e2e/cmd/mutation
	@exec _bin/mutation seeds $(if $(SEED),--first '$(SEED)') $(if $(RUNS),--runs '$(RUNS)') $(if $(STEPS),--steps '$(STEPS)') $(if $(FOCUS),--focus "$$FOCUS")

.PHONY: test-crash
test-crash: ## Kill the driver, and fail its disk, before and after every step of every call
	@scripts/test-crash.sh

.PHONY: test-cleanup
test-cleanup: ## Interrupt and break runs on separate clusters, and check that nothing is left
	@scripts/test-cleanup.sh

.PHONY: test-ten-minutes
test-ten-minutes: ## Run the commands of docs/ten-minutes.md on a plain kind cluster
	@IMAGES='$(IMAGES)' scripts/ten-minutes.sh

.PHONY: release-archives
release-archives: ## Build the archives of a release, with checksums and lists of modules, in _dist
	@scripts/release.sh

.PHONY: test-release
test-release: ## Build a release twice, in two directories: the bytes must be the same
	@scripts/test-release.sh

.PHONY: cluster-up
cluster-up: $(csi_topo) ## Bring up the cluster with the driver of PROFILE, and leave it
	@exec $(csi_topo) up $(cluster_flags) --logs-dir '$(REPORT_DIR)/logs'

.PHONY: cluster-down
cluster-down: $(csi_topo) ## Remove the cluster
	@exec $(csi_topo) down $(name_flag)

.PHONY: images
images: $(csi_topo) ## Pull or build the node and sidecar images, and keep them in the user's cache
	@exec $(csi_topo) images $(kubernetes_flag) --images '$(IMAGES)'

.PHONY: engine-down
engine-down: $(csi_topo) ## Stop the container engine that csi-topo started, if it did
	@exec $(csi_topo) engine down

.PHONY: clean
clean: ## Remove what was built here and the report; the user's cache stays
	rm -rf _bin _dist '$(REPORT_DIR)'

# Go knows best whether there is anything to build.
.PHONY: $(csi_topo)
$(csi_topo):
	@echo 'building $(csi_topo) (the first time takes a minute or two)'
	@go build -o $(csi_topo) ./e2e/cmd/csi-topo
