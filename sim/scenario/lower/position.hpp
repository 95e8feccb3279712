#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/bucket_sets.hpp"
#include "sim/scenario/lower/local_scope.hpp"
#include "sim/scenario/lower/lower.hpp"
#include "sim/scenario/lower/program_builder.hpp"

namespace highwater {

/// Where the steps under way stand: the current stream, what the names mean there, and how much
/// work has been done to come so far.
class Position {
  public:
    Position(const Scenario& scenario,
             const ParameterValues& values,
             const LoweringLimits& limits,
             ProgramBuilder& builder);
    Position(const Position&) = delete;
    Position& operator=(const Position&) = delete;

    LocalScope scope;
    StreamId current = kDefaultStream;
    /// The step under way.
    SourcePlace place;

    /// Counts; an `InputError` when it becomes more than the limit.
    void work(std::uint64_t amount);

    // Each evaluation counts as work.

    Value value(const Formula& formula) { return evaluate(formula, scope_for(formula)); }
    Bytes size(const Formula& formula) { return evaluate_size(formula, scope_for(formula)); }
    bool condition(const Formula& formula) {
        return evaluate_condition(formula, scope_for(formula));
    }
    /// `what` for messages: "the count of a loop". Between `least` and `most`.
    std::int64_t integer(const Formula& formula,
                         std::string_view what,
                         std::int64_t least,
                         std::int64_t most) {
        return evaluate_integer(formula, scope_for(formula), what, least, most);
    }
    std::int64_t count(const Formula& formula, std::string_view what) {
        return integer(formula, what, 0, limits_.max_loop);
    }
    std::string name(const Formula& reference) {
        return evaluate_name(reference, scope_for(reference));
    }
    /// Are all its names known here?
    bool can_evaluate(const Formula& formula) const;
    /// A word of the language, or what the parameter of that name says.
    std::string word(const PlacedText& text) const;

    /// Of a capture.
    op::CaptureMode mode(const std::optional<PlacedText>& text) const;

    // Streams.

    /// In order of creation: each takes the next of PyTorch's pool.
    void add_streams();
    StreamId stream(const Formula& reference);
    StreamId stream_or_current(const std::optional<Formula>& reference) {
        return reference ? stream(*reference) : current;
    }

    BucketSets buckets;

  private:
    const Scope& scope_for(const Formula& formula) {
        work(formula.tree.nodes.size());
        return scope;
    }
    std::optional<Value> member(const std::string& object, const std::string& field) const;
    std::int64_t streams_of(const StreamGroup& group);
    std::string first_of_one(const std::string& called) const;
    /// The stream of a group that is shared out among the layers.
    StreamId shared_out(const StreamGroup& group, const SourcePlace& at);

    const Scenario& scenario_;
    const ParameterValues& values_;
    const LoweringLimits& limits_;
    ProgramBuilder& builder_;
    std::uint64_t work_done_ = 0;
};

}  // namespace highwater
