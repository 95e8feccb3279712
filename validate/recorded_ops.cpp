#include "validate/recorded_ops.hpp"

#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "validate/recorded_values.hpp"

namespace highwater {
namespace {

using nlohmann::json;

// Far above what a process counts to, and far below where counting wraps.
constexpr std::uint64_t kLastPoolNumber = std::uint64_t{1} << 32U;

// Numbers of one kind in a recording, and the names they have in the Program.
template <typename Id>
class Names {
  public:
    Names(char prefix, std::vector<std::string>& table) : prefix_(prefix), table_(table) {}

    Id operator[](const json& number) {
        const auto key = number.get<std::int64_t>();
        const auto [at, is_new] = ids_.try_emplace(key, static_cast<std::uint32_t>(table_.size()));
        if (is_new) {
            table_.push_back(fmt::format("{}{}", prefix_, key));
        }
        return Id{at->second};
    }

  private:
    char prefix_;
    std::vector<std::string>& table_;
    std::map<std::int64_t, std::uint32_t> ids_;
};

class Reader {
  public:
    explicit Reader(RecordedProgram& into)
        : program_(into.program),
          numbers_(into.numbers),
          tensors_('t', program_.tensors),
          graphs_('g', program_.graphs) {
        program_.events.emplace_back("wait");
    }

    void read(const json& op, const RecordedResult& result) {
        const auto found = kReaders.find(op.at(0).get<std::string>());
        if (found == kReaders.end()) {
            throw std::invalid_argument("unknown operation " + op.dump());
        }
        (this->*found->second)(op);
        note_first_pool(result);
    }

  private:
    using Read = void (Reader::*)(const json&);
    static const std::map<std::string, Read> kReaders;

    void add(Op op) { program_.ops.push_back(std::move(op)); }

    StreamId stream(const json& index) const { return stream_of(program_, index); }

    // Pool ids are counted by the process, so a program's first one tells where it stood.
    void note_first_pool(const RecordedResult& result) {
        if (const auto* id = std::get_if<PoolId>(&result); id != nullptr && !saw_pool_) {
            saw_pool_ = true;
            if (id->second == 0 || id->second > kLastPoolNumber) {
                throw std::invalid_argument("a pool's id has no such number");
            }
            numbers_.next_handle = id->second;
        }
    }

    PoolName add_pool(std::string name) {
        program_.pools.push_back(std::move(name));
        return PoolName{static_cast<std::uint32_t>(program_.pools.size() - 1)};
    }

    PoolName pool_of_graph(std::int64_t graph) const {
        const auto found = graph_pools_.find(graph);
        if (found == graph_pools_.end()) {
            throw std::invalid_argument(fmt::format("graph {} has no pool to share", graph));
        }
        return found->second;
    }

    PoolName mem_pool(const json& number) const {
        const auto found = mem_pools_.find(number.get<std::int64_t>());
        if (found == mem_pools_.end()) {
            throw std::invalid_argument("there is no memory pool " + number.dump());
        }
        return found->second;
    }

    void alloc(const json& op) {
        add(op::Alloc{tensors_[op.at(1)], bytes_of(op.at(2)), stream(op.at(3))});
    }
    void free(const json& op) { add(op::Free{tensors_[op.at(1)]}); }
    void record(const json& op) { add(op::RecordStream{tensors_[op.at(1)], stream(op.at(2))}); }
    void empty_cache(const json&) { add(op::EmptyCache{}); }
    void kernel(const json& op) { add(op::Kernel{stream(op.at(1)), {}, {}}); }
    void wait(const json& op) {
        add(op::RecordEvent{EventName{0}, stream(op.at(2))});
        add(op::WaitEvent{stream(op.at(1)), EventName{0}});
    }
    void capture_begin(const json& op) {
        const auto graph = op.at(1).get<std::int64_t>();
        if (op.at(2).is_null()) {
            graph_pools_[graph] = add_pool(fmt::format("pool_g{}", graph));
            add(op::MakePoolHandle{graph_pools_[graph]});
        } else {
            graph_pools_[graph] = pool_of_graph(op.at(2).get<std::int64_t>());
        }
        // As they were recorded, so that captures and what goes on beside them could be mixed
        // freely.
        add(op::BeginCapture{
            graphs_[op.at(1)], stream(op.at(3)), graph_pools_[graph], op::CaptureMode::kRelaxed});
    }
    void capture_end(const json& op) { add(op::EndCapture{graphs_[op.at(1)]}); }
    void graph_destroy(const json& op) { add(op::DestroyGraph{graphs_[op.at(1)]}); }
    void pool_create(const json& op) {
        const auto number = op.at(1).get<std::int64_t>();
        mem_pools_[number] = add_pool(fmt::format("m{}", number));
        add(op::CreatePool{mem_pools_[number], false, false});
    }
    void pool_destroy(const json& op) { add(op::DestroyPool{mem_pool(op.at(1))}); }
    void pool_enter(const json& op) { add(op::EnterPool{mem_pool(op.at(1))}); }
    void pool_leave(const json& op) { add(op::LeavePool{mem_pool(op.at(1))}); }
    void hold(const json& op) { add(op::HoldStream{stream(op.at(1))}); }
    void release(const json& op) { add(op::ReleaseStream{stream(op.at(1))}); }

    Program& program_;
    PoolNumbers& numbers_;
    bool saw_pool_ = false;
    Names<TensorId> tensors_;
    Names<GraphId> graphs_;
    std::map<std::int64_t, PoolName> graph_pools_;
    std::map<std::int64_t, PoolName> mem_pools_;
};

const std::map<std::string, Reader::Read> Reader::kReaders{
    {"a", &Reader::alloc},
    {"f", &Reader::free},
    {"r", &Reader::record},
    {"e", &Reader::empty_cache},
    {"k", &Reader::kernel},
    {"w", &Reader::wait},
    {"cb", &Reader::capture_begin},
    {"ce", &Reader::capture_end},
    {"gd", &Reader::graph_destroy},
    {"mp", &Reader::pool_create},
    {"md", &Reader::pool_destroy},
    {"mb", &Reader::pool_enter},
    {"me", &Reader::pool_leave},
    {"hold", &Reader::hold},
    {"rel", &Reader::release},
};

RecordedResult read_result(const json& value) {
    if (value.is_null()) {
        return {};
    }
    if (value.is_array()) {
        return PoolId{unsigned_of(value.at(0)), unsigned_of(value.at(1))};
    }
    if (value.is_string()) {
        if (value != "oom") {
            throw std::invalid_argument("unknown result " + value.dump());
        }
        return RecordedOutOfMemory{};
    }
    return Address{unsigned_of(value)};
}

std::vector<std::uint64_t> read_counters(const json& row, std::size_t expected) {
    if (row.size() != expected + 1) {
        throw std::invalid_argument(
            fmt::format("a row has {} counters, the head names {}", row.size() - 1, expected));
    }
    std::vector<std::uint64_t> counters;
    for (std::size_t i = 1; i < row.size(); ++i) {
        counters.push_back(unsigned_of(row[i]));
    }
    return counters;
}

}  // namespace

void read_recorded_ops(RecordedProgram& into, const json& ops, const json& rows) {
    if (ops.size() != rows.size()) {
        throw std::invalid_argument(
            fmt::format("{} operations have {} rows", ops.size(), rows.size()));
    }
    Reader reader(into);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        RecordedOp op;
        op.text = ops[i].dump();
        op.result = read_result(rows[i].at(0));
        op.counters = read_counters(rows[i], into.counters.size());
        op.begin = into.program.ops.size();
        reader.read(ops[i], op.result);
        op.end = into.program.ops.size();
        into.ops.push_back(std::move(op));
    }
}

}  // namespace highwater
