# The two commands a newcomer needs are `make demo` and `make test`; both
# install what is missing where they may, or say exactly what to install.

CARGO ?= cargo
RESIDUE := target/release/residue
ROUNDS ?= 3
TRUTH ?= $(SUBJECTS)/truth

.PHONY: help demo test check build setup bench-exec bench-trace verify-rewrite verify-outside compare-surefire compare-traced check-writes check-pollution bench-pollution eval eval-schedules eval-priorities clean

help:
	@echo "make demo              build residue and run it on the example suite"
	@echo "make test              build and run every test"
	@echo "make check             formatting, lints, licences and advisories"
	@echo "make bench-exec        throughput of one-test orders against plain java starts"
	@echo "make bench-trace [SUBJECTS=FOLDER] [NAMES=LIST]"
	@echo "                       cost of tracing: published test jars, projects, kernels, start-up, memory"
	@echo "make bench-pollution SUBJECTS=FOLDER [NAMES=LIST]"
	@echo "                       cost of looking for polluters, over tracing alone and over plain runs"
	@echo "make verify-rewrite    rewrite all classes of the JDK and of popular jars, and verify them"
	@echo "make verify-outside COMMAND='java -cp … Main'"
	@echo "                       what a command does to files, as traces see it, against strace"
	@echo "make compare-traced SUBJECTS=FOLDER"
	@echo "                       outcomes of real projects with the agent and without"
	@echo "make check-writes SUBJECT=FOLDER [ARGS=OPTIONS]"
	@echo "                       writes of a traced run of a project against a walk over its heap"
	@echo "make check-pollution SUBJECT=FOLDER [ARGS=OPTIONS]"
	@echo "                       what tests leave changed against snapshots of the heap around each test"
	@echo "make compare-surefire SUBJECTS=FOLDER"
	@echo "                       outcomes against the Surefire reports of real projects"
	@echo "make eval SUBJECTS=FOLDER TRUTH=FOLDER [BUDGET=3m KEEP=FOLDER]"
	@echo "                       detection on real projects against their known dependent tests"
	@echo "make eval-schedules SUBJECTS=FOLDER [RUNS=20]"
	@echo "                       speed-ups by schedule on real projects, and real parallel runs"
	@echo "make eval-priorities SUBJECTS=FOLDER [SEEDS=5]"
	@echo "                       outcomes that test prioritisation changes on real projects"

setup:
	@scripts/setup

build: setup
	$(CARGO) build --release --package residue

demo: build
	@scripts/demo $(RESIDUE)

test: setup
	$(CARGO) test --workspace

check: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- --deny warnings
	scripts/check-dependencies

bench-exec: setup
	$(CARGO) run --quiet --release --package residue --example bench_exec -- $(ROUNDS)

bench-trace: setup
	$(CARGO) run --quiet --release --package residue --example bench_trace -- --rounds $(ROUNDS) \
		$(if $(SUBJECTS),--subjects "$(SUBJECTS)") $(if $(NAMES),--names $(NAMES))

bench-pollution: setup
	$(CARGO) run --quiet --release --package residue --example bench_trace -- --rounds $(ROUNDS) \
		--only pollution --subjects "$(SUBJECTS)" $(if $(NAMES),--names $(NAMES))

verify-rewrite: setup
	scripts/verify-rewrite --popular

verify-outside:
	cargo build --release -p residue-interpose
	scripts/verify-outside target/release/libresidue_interpose.so $(COMMAND)

compare-traced: build
	@scripts/compare-traced --residue $(RESIDUE) "$(SUBJECTS)"

check-writes: build
	$(CARGO) run --quiet --release --package residue --example check_agent -- \
		--residue $(RESIDUE) writes "$(SUBJECT)" -- $(ARGS)

check-pollution: build
	$(CARGO) run --quiet --release --package residue --example check_agent -- \
		--residue $(RESIDUE) pollution "$(SUBJECT)" -- $(ARGS)

compare-surefire: build
	@scripts/compare-surefire --residue $(RESIDUE) "$(SUBJECTS)"

eval: build
	@scripts/evaluate --residue $(RESIDUE) --budget $(or $(BUDGET),3m) $(if $(KEEP),--keep "$(KEEP)") "$(SUBJECTS)" "$(TRUTH)"

eval-schedules: build
	@scripts/evaluate-schedules --residue $(RESIDUE) --detect 3m --runs $(or $(RUNS),0) "$(SUBJECTS)"

eval-priorities: build
	@scripts/evaluate-priorities --residue $(RESIDUE) --seeds $(or $(SEEDS),5) "$(SUBJECTS)"

clean:
	$(CARGO) clean
