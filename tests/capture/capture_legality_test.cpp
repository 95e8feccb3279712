// What breaks a capture, and what only fails: measured on driver 580, CUDA 13.0.
#include <functional>
#include <string>
#include <vector>

#include "sim/capture/captures.hpp"
#include "tests/support/cuda_errors.hpp"
#include "tests/support/string_makers.hpp"

namespace highwater {
namespace {

constexpr CaptureId kCapture{1};
constexpr CaptureId kOther{2};
constexpr StreamId kOrigin{1};
constexpr StreamId kSide{2};
constexpr StreamId kThird{3};
constexpr StreamId kBlocking{4};
constexpr ThreadId kSecondThread{1};

int error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const PredictedError& error) {
        return full_error(error.what(), error.cuda_error(), error.remedy());
    }
    return 0;
}

int error_of_end(Captures& captures, StreamId stream = kOrigin) {
    return error_of([&] { captures.end(stream); });
}

Captures captures_with_blocking_stream() {
    return Captures(
        {{"default"}, {"origin"}, {"side"}, {"third"}, {"blocking", /*blocking=*/true}});
}

void wait_for(Captures& captures, StreamId waiting, StreamId waited_for) {
    captures.wait(waiting, captures.record(waited_for));
}

void fork(Captures& captures, StreamId side) {
    wait_for(captures, side, kOrigin);
    captures.add(side, {});
}

void capture_other(Captures& captures) {
    captures.begin(kOther, kThird, CaptureMode::kRelaxed);
    captures.add(kThird, {});
}

struct Case {
    std::string what;
    std::function<void(Captures&)> call;
    int error = 0;
    /// What the end of the capture gives afterwards.
    int end = 0;
};

}  // namespace

TEST_CASE("structure: what fails in a capture, and whether the capture survives", "[capture]") {
    const auto mode =
        GENERATE(CaptureMode::kGlobal, CaptureMode::kThreadLocal, CaptureMode::kRelaxed);
    const auto each = GENERATE(values<Case>({
        {"waits for an outside event",
         [](Captures& c) { c.wait(kOrigin, std::nullopt); },
         905,
         901},
        {"a forked stream waits for an outside event",
         [](Captures& c) { fork(c, kSide), c.wait(kSide, std::nullopt); },
         905,
         901},
        {"waits for work of another capture",
         [](Captures& c) { capture_other(c), wait_for(c, kOrigin, kThird); },
         902,
         901},
        {"begins twice", [](Captures& c) { c.begin(kOther, kOrigin); }, 401, 0},
        {"begins on a forked stream",
         [](Captures& c) { wait_for(c, kSide, kOrigin), c.begin(kOther, kSide); },
         401,
         0},
        {"begins on the default stream",
         [](Captures& c) { c.begin(kOther, kDefaultStream); },
         900,
         0},
        {"ends on a stream that never captured", [](Captures& c) { c.end(kSide); }, 401, 0},
        {"ends on a forked stream",
         [](Captures& c) { wait_for(c, kSide, kOrigin), c.end(kSide); },
         903,
         901},
        {"ends unjoined", [](Captures& c) { fork(c, kSide), c.end(kOrigin); }, 904, 401},
        {"works on after the join",
         [](Captures& c) {
             fork(c, kSide), wait_for(c, kOrigin, kSide);
             c.add(kSide, {}), c.end(kOrigin);
         },
         904,
         401},
        {"the default stream waits for the capture",
         [](Captures& c) { wait_for(c, kDefaultStream, kOrigin); },
         906,
         901},
        {"synchronises with it", [](Captures& c) { c.synchronize(kOrigin); }, 900, 901},
        {"synchronises with a forked stream",
         [](Captures& c) { wait_for(c, kSide, kOrigin), c.synchronize(kSide); },
         900,
         901},
        {"queries a captured event",
         [](Captures& c) { c.query_event(c.record(kOrigin)); },
         907,
         901},
        {"waits on the host for a captured event",
         [](Captures& c) { c.synchronize_event(c.record(kOrigin)); },
         907,
         901},
        {"uses the default stream beside it",
         [](Captures& c) { c.add_outside(kDefaultStream); },
         0,
         0},
        {"forks without work", [](Captures& c) { wait_for(c, kSide, kOrigin); }, 0, 0},
        {"joins, then only records",
         [](Captures& c) { fork(c, kSide), wait_for(c, kOrigin, kSide), c.record(kSide); },
         0,
         0},
        {"joins through a third stream",
         [](Captures& c) {
             fork(c, kSide), wait_for(c, kThird, kSide), wait_for(c, kOrigin, kThird);
         },
         0,
         0},
    }));
    Captures captures = captures_with_blocking_stream();
    captures.begin(kCapture, kOrigin, mode);
    captures.add(kOrigin, {});
    INFO(each.what);
    CHECK(error_of([&] { each.call(captures); }) == each.error);
    CHECK(error_of_end(captures) == each.end);
}

TEST_CASE("merging breaks both captures", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    capture_other(captures);
    CHECK(error_of([&] { wait_for(captures, kThird, kOrigin); }) == 902);
    CHECK(error_of_end(captures, kThird) == 901);
    CHECK(error_of_end(captures) == 901);
}

TEST_CASE("a broken capture fails until it ends, then nothing is left of it", "[capture]") {
    Captures captures = captures_with_blocking_stream();
    captures.begin(kCapture, kOrigin);
    fork(captures, kSide);
    const auto event = captures.record(kOrigin);
    CHECK(error_of([&] { captures.synchronize(kOrigin); }) == 900);
    for (const StreamId stream : {kOrigin, kSide}) {
        CHECK(error_of([&] { captures.add(stream, {}); }) == 901);
        CHECK(error_of([&] { captures.record(stream); }) == 901);
        CHECK(error_of([&] { captures.wait(stream, std::nullopt); }) == 901);
        CHECK(error_of([&] { captures.require_unbroken(stream); }) == 901);
    }
    CHECK(error_of([&] { captures.wait(kThird, event); }) == 1);
    CHECK(error_of([&] { captures.query_event(event); }) == 1);
    CHECK(error_of([&] { captures.call(CudaCall::kMalloc); }) == 900);
    CHECK(error_of([&] { captures.synchronize(kOrigin); }) == 900);
    CHECK(error_of([&] { captures.begin(kOther, kOrigin); }) == 401);
    CHECK(error_of_end(captures) == 901);

    CHECK(error_of_end(captures) == 401);
    CHECK_NOTHROW(captures.synchronize(kSide));
    CHECK_NOTHROW(captures.call(CudaCall::kMalloc));
    captures.begin(kOther, kOrigin);
    captures.add(kOrigin, {});
    CHECK(num_vertices(captures.end(kOrigin)) == 1);
}

TEST_CASE("the error of a broken capture says what broke it and what to do about that",
          "[capture]") {
    Captures captures = captures_with_blocking_stream();
    captures.begin(kCapture, kOrigin);
    CHECK(captures.error_of(CudaCall::kGraphExecDestroy));
    try {
        captures.add(kOrigin, {});
        FAIL("a broken capture took work");
    } catch (const PredictedError& error) {
        const std::string cause(rule_of(CudaCall::kGraphExecDestroy).what);
        const std::string remedy(rule_of(CudaCall::kGraphExecDestroy).remedy);
        CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring(cause));
        CHECK_THAT(error.remedy(), Catch::Matchers::ContainsSubstring(remedy));
    }
}

TEST_CASE("only the thread that began a capture ends it, unless it is relaxed", "[capture]") {
    const auto [mode, error, owner] = GENERATE(table<CaptureMode, int, int>({
        {CaptureMode::kGlobal, 908, 401},
        {CaptureMode::kThreadLocal, 908, 401},
        {CaptureMode::kRelaxed, 0, 401},
    }));
    Captures captures;
    captures.begin(kCapture, kOrigin, mode);
    captures.switch_thread(kSecondThread);
    CHECK(error_of_end(captures) == error);
    CHECK_FALSE(captures.capture_of(kOrigin));
    captures.switch_thread(kMainThread);
    CHECK(error_of_end(captures) == owner);
}

TEST_CASE("an event of a capture that has ended is an invalid value", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    const auto event = captures.record(kOrigin);
    captures.end(kOrigin);
    CHECK(error_of([&] { captures.query_event(event); }) == 1);
    CHECK(error_of([&] { captures.synchronize_event(event); }) == 1);
    CHECK(error_of([&] { captures.wait(kSide, event); }) == 1);
    captures.begin(kOther, kOrigin);
    CHECK(error_of([&] { captures.wait(kOrigin, event); }) == 1);
    CHECK(error_of_end(captures) == 901);
}

TEST_CASE("beside a blocking stream's capture the default stream cannot be used", "[capture]") {
    const auto use = GENERATE(values<std::function<void(Captures&)>>({
        [](Captures& c) { c.add_outside(kDefaultStream); },
        [](Captures& c) { c.record(kDefaultStream); },
        [](Captures& c) { c.wait(kDefaultStream, std::nullopt); },
        [](Captures& c) { c.synchronize(kDefaultStream); },
    }));
    const bool forked = GENERATE(false, true);
    Captures captures = captures_with_blocking_stream();
    const StreamId origin = forked ? kOrigin : kBlocking;
    captures.begin(kCapture, origin);
    if (forked) {
        wait_for(captures, kBlocking, kOrigin);
    }
    CHECK_NOTHROW(captures.add_outside(kThird));
    CHECK(error_of([&] { use(captures); }) == 906);
    CHECK(error_of_end(captures, origin) == 901);
}

TEST_CASE("an unsafe call breaks every capture that forbids it, and no other", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin, CaptureMode::kThreadLocal);
    captures.switch_thread(kSecondThread);
    const auto [mode, own_end] = GENERATE(table<CaptureMode, int>({
        {CaptureMode::kGlobal, 901},
        {CaptureMode::kThreadLocal, 901},
        {CaptureMode::kRelaxed, 0},
    }));
    captures.begin(kOther, kSide, mode);
    CHECK(error_of([&] { captures.call(CudaCall::kFree); }) == (own_end == 0 ? 0 : 900));
    CHECK(error_of_end(captures, kSide) == own_end);
    captures.switch_thread(kMainThread);
    CHECK(error_of_end(captures) == 0);
}

TEST_CASE("one cudaMalloc breaks two global captures of two threads", "[capture]") {
    Captures captures;
    captures.begin(kCapture, kOrigin);
    captures.switch_thread(kSecondThread);
    captures.begin(kOther, kSide);
    CHECK(error_of([&] { captures.call(CudaCall::kMalloc); }) == 900);
    CHECK(error_of_end(captures, kSide) == 901);
    captures.switch_thread(kMainThread);
    CHECK(error_of_end(captures) == 901);
}

}  // namespace highwater
