# Postern's commands. `make help` shows them.
SHELL = /bin/bash
.SHELLFLAGS = -eu -o pipefail -c
.DEFAULT_GOAL = help
.PHONY: help run build test check vet staticcheck lint drift race modules generate spec spec-try fuzz soak bench conformance versus measured record clean

export CGO_ENABLED ?= 0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
MODULES = . benchmark conformance/clients/golang
FUZZTIME ?= 10s
DATA ?= data
VERSION ?= 9.5.0
ENGINES ?= postern
PKG ?= ./...

help: ## Show this.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## Start a server on 127.0.0.1:9200 with its documents in ./data (DATA=folder).
	go run ./cmd/postern serve --data $(DATA)

build: ## Build the one program: ./postern.
	go build -trimpath -o postern ./cmd/postern

test: ## Run the tests. Needs only Go, and says what it skipped for want of something else. PKG=./... chooses.
	go test -json $(PKG) | go run ./internal/testreport

check: vet staticcheck lint drift race modules ## All that CI checks before the tests: vet, linter, layers, drift, -race, every module.

vet: ## go vet, in every module.
	for m in $(MODULES); do (cd $$m && go vet ./...); done

staticcheck: ## The linter, in our own modules.
	for m in . benchmark; do (cd $$m && go run $(STATICCHECK) -checks 'inherit,-ST1000,-ST1005' ./...); done

lint: ## The rules of our own: layers, names, globals, file lengths.
	go test ./internal/lint

drift: ## What is generated is what the specification and support.yaml say.
	before=$$(find generated docs/compatibility.md -type f | LC_ALL=C sort | xargs cksum); \
	go generate ./...; \
	after=$$(find generated docs/compatibility.md -type f | LC_ALL=C sort | xargs cksum); \
	diff <(echo "$$before") <(echo "$$after") || { echo "generated files differ from what is committed: run make generate"; exit 1; }

# What is concurrent: the rest gains nothing from the race detector and costs minutes.
RACE = ./internal/... ./planner/... ./handlers/... ./cmd/...
race: ## The tests of all concurrent packages under the race detector (needs a C compiler).
	CGO_ENABLED=1 go test -race -short -json $(RACE) | go run ./internal/testreport

modules: ## The tests of the modules beside the main one.
	cd benchmark && go test ./...

generate: ## Write generated/ and docs/compatibility.md from spec/.
	go generate ./...

spec: ## Fetch the pinned specification and distil it into spec/facts.jsonl (needs npm).
	go run ./spec/distill

spec-try: ## Generate and build another version in a scratch folder: make spec-try VERSION=9.5.0 (needs npm).
	go run ./generator/try -version $(VERSION)

fuzz: ## Run every fuzz target for FUZZTIME (10s) each.
	grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r dir; do \
		grep -h -o '^func Fuzz[A-Za-z0-9_]*' "$$dir"/*_test.go | cut -d' ' -f2 | while read -r target; do \
			echo "== $$dir $$target"; \
			go test "$$dir" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); \
		done; \
	done

soak: ## The long forms of the tests (hours): POSTERN_SOAK=1 makes them long.
	POSTERN_SOAK=1 go test -count=1 -timeout 4h -v $(PKG)

conformance: ## Replay the recordings on Postern; ENGINES=all adds Elasticsearch 8.15.0 and OpenSearch 3.9.0 (needs Java 21, Maven).
	go test -count=1 ./conformance
ifeq ($(ENGINES),all)
	.ci/replay elasticsearch
	.ci/replay opensearch
endif

measured: ## Replay on Postern, Elasticsearch and OpenSearch, one at a time, and write what passes into docs/compatibility.md.
	.ci/replay postern
	.ci/replay elasticsearch
	.ci/replay opensearch
	go run ./conformance/cmd/conformance report --measured spec/measured.json --html conformance/results/report.html \
		conformance/results/{postern,elasticsearch,opensearch}.json
	go generate ./...

record: ## Ask Elasticsearch again what the recordings ask, and write its answers (needs Java, Maven).
	trap 'go run ./conformance/cmd/conformance down elasticsearch' EXIT; \
	url=$$(go run ./conformance/cmd/conformance up elasticsearch); \
	find conformance/recordings -name '*.rec' | LC_ALL=C sort | xargs go run ./conformance/cmd/conformance record --engine elasticsearch=$$url

BENCH = --engine postern --engine elasticsearch --engine opensearch
bench: ## Compare with Elasticsearch 8.15.0 and OpenSearch 3.9.0 in one run on this machine (needs Java 21, Maven). BENCH="--help" tells the options.
	cd benchmark && go run . run $(BENCH)

clean: ## Remove what make build leaves.
	rm -f postern

versus: ## Ask the Elasticsearch 8.15.0 at ENGINE and Postern 10,000 drawn requests; what differs is shrunk and shown. VERSUS="--help" tells the options.
	trap 'go run ./conformance/cmd/conformance down postern' EXIT; \
	url=$$(go run ./conformance/cmd/conformance up postern); \
	go run ./conformance/cmd/conformance versus --right $(ENGINE) --tested $$url $(VERSUS)
