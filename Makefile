# What is done often, by name. CI does all of it, and more, with .ci/run.

# Names of tests for `make test`, seconds for `make fuzz`, builds for `make same`.
RUN ?= .
TIME ?= 5
OLD ?= haversack-old
NEW ?= haversack-new

.PHONY: help test fast lint fuzz bench same house update

help: ## Print this list.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

test: ## Run all tests; RUN=Name runs those of that name.
	go test -run '$(RUN)' ./...

fast: ## Run what tells most in a minute: nothing that attacks, times, or starts other programs. Linked without what debuggers read.
	go test -short -ldflags=-w ./...

lint: ## Check format, suspicious code and switches that forget a value.
	@test -z "$$(git ls-files -- '*.go' | xargs gofmt -l | tee /dev/stderr)"
	go vet ./...
	.ci/switches

fuzz: ## Give each fuzz target TIME=5 seconds.
	.ci/fuzz $(TIME)

bench: ## Measure what context holds of what changes needed, and what tells credentials: each prints how it is called.
	go run ./bench/context -h
	go run ./bench/secrets -h
	go run ./bench/questions -h

same: ## Compare all that two builds write: make same OLD=program NEW=program.
	go run ./bench/same $(OLD) $(NEW)

house: ## Count by package what makes code hard to find one's way in; `go run ./bench/house -names` names it.
	go run ./bench/house

update: ## Write anew what tests derive from the code: action.yml, tables of pages, goldens of packs.
	go test ./internal/action ./internal/pack -update
