#include "tests/hazards/slow_hazards.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "sim/engine/run.hpp"

namespace highwater {
namespace {

// An operation is two nodes: the host's call, 2n, and what its stream does, 2n + 1. The latter is
// also where a host's call that waits for something ends.
class Relation {
  public:
    explicit Relation(const Program& program)
        : program_(program), before_(2 * program.ops.size()), ledger_(run(program)) {
        for (at_ = 0; at_ < program.ops.size(); ++at_) {
            call();
            std::visit([this](const auto& op) { add(op); }, program.ops[at_]);
        }
    }

    SlowHazards hazards() const {
        SlowHazards found;
        for (std::size_t j = 0; j < accesses_.size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                const Access& a = accesses_[i];
                const Access& b = accesses_[j];
                if (a.op != b.op && a.captured == b.captured && (a.writes || b.writes) &&
                    overlap(a.where, b.where) && !before_[2 * b.op + 1].contains(2 * a.op + 1)) {
                    found.pairs.emplace(a.op, b.op);
                    found.seconds.insert(b.op);
                }
            }
        }
        return found;
    }

  private:
    using Nodes = std::set<std::size_t>;
    struct Access {
        std::size_t op = 0;
        Placement where;
        bool writes = false;
        bool captured = false;
    };
    struct Gone {
        Placement where;
        Nodes awaited;
    };

    static bool overlap(const Placement& a, const Placement& b) {
        return a.address < b.address + b.size && b.address < a.address + a.size;
    }

    void put(std::size_t node, std::size_t after) {
        before_[after].insert(node);
        before_[after].insert(before_[node].begin(), before_[node].end());
    }
    void put(const std::optional<std::size_t>& node, std::size_t after) {
        if (node) {
            put(*node, after);
        }
    }

    // The host's calls follow each other, in each thread.
    void call() {
        if (host_.contains(thread_)) {
            put(host_[thread_], 2 * at_);
        }
        host_[thread_] = 2 * at_;
    }
    std::size_t in_stream(StreamId stream) {
        const std::size_t node = 2 * at_ + 1;
        if (!captured_.contains(stream)) {
            put(2 * at_, node);
        }
        if (last_.contains(stream)) {
            put(last_[stream], node);
        }
        last_[stream] = node;
        return node;
    }
    void host_waits(const std::optional<std::size_t>& node) {
        put(2 * at_, 2 * at_ + 1);
        put(node, 2 * at_ + 1);
        host_[thread_] = 2 * at_ + 1;
    }
    std::optional<std::size_t> last(StreamId stream) const {
        const auto found = last_.find(stream);
        return found == last_.end() ? std::nullopt : std::optional(found->second);
    }
    void touch(StreamId stream, TensorId tensor, bool writes) {
        accesses_.push_back({at_, live_[tensor], writes, captured_.contains(stream)});
    }

    template <typename Other>
    void add(const Other& /*orders nothing*/) {}
    void add(const op::Alloc& op) {
        live_[op.tensor] = ledger_.placements[placed_++];
        homes_[op.tensor] = op.stream;
        host_waits(std::nullopt);
        for (const Gone& gone : gone_) {
            if (overlap(gone.where, live_[op.tensor])) {
                for (const std::size_t node : gone.awaited) {
                    host_waits(node);
                }
            }
        }
    }
    void add(const op::Free& op) {
        Gone gone{live_[op.tensor], {}};
        for (const StreamId stream : uses_[op.tensor]) {
            if (captured_.empty() && last(stream)) {
                gone.awaited.insert(*last(stream));
            }
        }
        uses_[op.tensor].clear();
        std::erase_if(gone_, [&](const Gone& old) { return overlap(old.where, gone.where); });
        gone_.push_back(gone);
    }
    void add(const op::RecordStream& op) {
        if (op.stream != homes_[op.tensor]) {
            uses_[op.tensor].insert(op.stream);
        }
    }
    void add(const op::Kernel& op) {
        in_stream(op.stream);
        for (const TensorId tensor : op.reads) {
            touch(op.stream, tensor, false);
        }
        for (const TensorId tensor : op.writes) {
            touch(op.stream, tensor, true);
        }
    }
    void add(const op::RecordEvent& op) { events_[op.event] = {in_stream(op.stream), op.stream}; }
    void add(const op::WaitEvent& op) {
        if (!events_.contains(op.event)) {
            return;
        }
        const auto [node, from] = events_[op.event];
        if (captured_.contains(from) && captured_.insert(op.stream).second) {
            last_.erase(op.stream);
        }
        put(node, in_stream(op.stream));
    }
    void add(const op::Synchronize& op) {
        for (const auto& [stream, node] : last_) {
            if (!op.stream || *op.stream == stream) {
                host_waits(node);
            }
        }
    }
    void add(const op::SynchronizeEvent& op) {
        if (events_.contains(op.event)) {
            host_waits(events_[op.event].first);
        }
    }
    void add(const op::SwitchThread& op) {
        if (!host_.contains(op.thread)) {
            host_[op.thread] = host_[thread_];
        }
        thread_ = op.thread;
    }
    void add(const op::BeginCapture& op) {
        captured_.insert(op.stream);
        last_.erase(op.stream);
    }
    // The Program begins with its capture: its streams have nothing before it.
    void add(const op::EndCapture& /*op*/) {
        for (const StreamId stream : captured_) {
            last_.erase(stream);
        }
        captured_.clear();
        events_.clear();
    }
    // All at once, behind the last replay of the graph.
    void add(const op::Replay& op) {
        const std::size_t node = in_stream(op.stream);
        put(last_replay_, node);
        last_replay_ = node;
        const std::size_t captured = accesses_.size();
        for (std::size_t i = 0; i < captured; ++i) {
            if (Access access = accesses_[i]; access.captured) {
                access.op = at_;
                access.captured = false;
                accesses_.push_back(access);
            }
        }
    }

    const Program& program_;
    std::vector<Nodes> before_;
    Ledger ledger_;
    std::size_t at_ = 0;
    std::size_t placed_ = 0;
    ThreadId thread_{};
    std::map<ThreadId, std::size_t> host_;
    std::map<StreamId, std::size_t> last_;
    std::map<EventName, std::pair<std::size_t, StreamId>> events_;
    std::map<TensorId, Placement> live_;
    std::map<TensorId, StreamId> homes_;
    std::map<TensorId, std::set<StreamId>> uses_;
    std::set<StreamId> captured_;
    std::optional<std::size_t> last_replay_;
    std::vector<Gone> gone_;
    std::vector<Access> accesses_;
};

}  // namespace

SlowHazards slow_hazards(const Program& program) {
    return Relation(program).hazards();
}

}  // namespace highwater
