#pragma once

#include <string>
#include <vector>

#include "sim/engine/program.hpp"
#include "sim/engine/run.hpp"
#include "tests/support/cuda_errors.hpp"

/// Programs about captures, and what came of them.
namespace highwater::captured {

inline constexpr TensorId kA{0};
inline constexpr TensorId kB{1};
inline constexpr TensorId kC{2};
inline constexpr StreamId kOrigin{1};
inline constexpr StreamId kSide{2};
inline constexpr StreamId kThird{3};
inline constexpr StreamId kBlocking{4};
inline constexpr EventName kE{0};
inline constexpr EventName kF{1};
inline constexpr GraphId kG{0};
inline constexpr GraphId kH{1};
inline constexpr GraphId kLast{2};
inline constexpr PoolName kPool{0};
inline constexpr PoolName kOtherPool{1};
inline constexpr ThreadId kSecond{1};

inline Program program(std::vector<Op> ops) {
    Program made;
    made.machine.total_memory = Bytes{std::uint64_t{1} << 30U};
    made.streams = {{"default", StreamHandle{0}},
                    {"origin", StreamHandle{0x10}},
                    {"side", StreamHandle{0x20}},
                    {"third", StreamHandle{0x30}},
                    {"blocking", StreamHandle{0x40}, true}};
    made.tensors = {"a", "b", "c"};
    made.events = {"e", "f"};
    made.graphs = {"g", "h", "last"};
    made.pools = {"p", "q"};
    made.threads = {"main", "second"};
    made.ops = std::move(ops);
    return made;
}

inline void append(std::vector<Op>& ops, const std::vector<Op>& more) {
    ops.insert(ops.end(), more.begin(), more.end());
}

/// The operations as something tried under a name.
inline std::vector<Op> tried(const std::string& name, const std::vector<Op>& ops) {
    std::vector<Op> made{op::Try{name}};
    append(made, ops);
    made.emplace_back(op::EndTry{});
    return made;
}

/// Operations in one list.
inline std::vector<Op> all_of(std::initializer_list<std::vector<Op>> parts) {
    std::vector<Op> ops;
    for (const auto& part : parts) {
        append(ops, part);
    }
    return ops;
}

/// `waiting` waits for all that `waited_for` was given.
inline std::vector<Op> wait_stream(StreamId waiting, StreamId waited_for) {
    return {op::RecordEvent{kE, waited_for}, op::WaitEvent{waiting, kE}};
}

/// The error that ended what was tried under a name; null if it went well.
inline const Failure* caught(const Ledger& ledger, const std::string& name) {
    for (const Failure& failure : ledger.caught) {
        if (failure.tried == name) {
            return &failure;
        }
    }
    return nullptr;
}

/// Its number at CUDA: 0 if it went well, -1 for an error that is not CUDA's.
inline int error_in(const Ledger& ledger, const std::string& name) {
    const Failure* failure = caught(ledger, name);
    if (failure == nullptr) {
        return 0;
    }
    const int number = full_error(failure->message, failure->cuda_error, failure->remedy);
    return number == 0 ? -1 : number;
}

inline std::uint64_t reserved(const Ledger& ledger) {
    return ledger.result.reserved_bytes.all.current;
}

inline std::uint64_t reserved_at(const Ledger& ledger, const std::string& checkpoint) {
    for (const CheckpointRow& row : ledger.checkpoints) {
        if (row.name == checkpoint) {
            return row.stats.reserved_bytes.all.current;
        }
    }
    FAIL("there is no checkpoint " << checkpoint);
    return 0;
}

}  // namespace highwater::captured
