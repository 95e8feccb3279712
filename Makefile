# The commands a person types. Each does only what is still missing: a second call installs and
# builds nothing.
.DEFAULT_GOAL := help
.PHONY: help demo test bench report format format-check headers lint clean release debug \
        packages lint-packages fuzz fuzz-packages
SOURCES = find sim validate gpu tests bench -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' 2>/dev/null

help:  ## say what there is
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: build/release/build.ninja  ## predict a side stream per layer against one shared stream
	@echo "Building the release"
	@cmake --build --preset release --target highwater
	@build/release/highwater run scenarios/aux_streams.yaml --sweep mode --sweep execution

test: release debug  ## run every test, optimised and under the sanitizers
	ctest --preset release
	ctest --preset debug

bench: release  ## run the benchmarks
	@for program in build/release/bench/*_bench; do $$program || exit; done

report: build/release/build.ninja  ## compare with what was measured, into validate/REPORT.md
	@cmake --build --preset release --target highwater
	validate/report.sh build/release/highwater validate/REPORT.md

fuzz: fuzz-packages build/fuzz/build.ninja  ## read damaged snapshots for ten minutes
	cmake --build --preset fuzz
	@mkdir -p build/fuzz/found
	build/fuzz/tests/fuzz/pickle_fuzz -max_total_time=600 build/fuzz/found tests/fuzz/pickle_seeds

format: lint-packages  ## lay out the sources
	@$(SOURCES) | xargs clang-format-14 -i

format-check: lint-packages  ## fail if a source is laid out otherwise
	@echo "Checking the layout of the sources"
	@$(SOURCES) | xargs clang-format-14 --dry-run -Werror

headers: build/debug/build.ninja  ## compile every header alone
	cmake --build --preset debug --target all_verify_interface_header_sets

lint: lint-packages build/release/build.ninja  ## run clang-tidy over the sources
	@.ci/lint

clean:  ## remove everything built
	rm -rf build

release debug: %: build/%/build.ninja
	cmake --build --preset $@

# Ninja reconfigures by itself when a CMakeLists.txt changes; presets it does not see.
build/%/build.ninja: CMakePresets.json | packages
	cmake --preset $*
	@touch $@

packages:
	@.ci/install build

lint-packages:
	@.ci/install lint

fuzz-packages:
	@.ci/install fuzz
