#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/memory_backend.hpp"
#include "gpu/rank.hpp"
#include "sim/capture/graph_shape.hpp"
#include "sim/engine/ledger.hpp"
#include "sim/engine/run.hpp"

namespace highwater::gpu {

/// One capture, beyond what the ledger's row has.
struct MeasuredGraph {
    GraphShape shape;
    std::vector<Duration> replays;
};

/// Reads of one operation that found something else than the tensor's own words.
struct Corruption {
    std::size_t op = 0;
    std::uint32_t words = 0;
};

/// The making of a communicator, or a collective.
struct MeasuredCollective {
    std::size_t op = 0;
    /// By how many bytes the free memory of the card shrank over the call.
    std::int64_t taken_bytes = 0;
    /// Of the host, for the call; for the making of a communicator with the time it waits for the
    /// other ranks.
    Duration host_time{};
    /// On the card, where it was not captured, with the time it waits for the other ranks.
    std::optional<Duration> card_time;
};

/// What a run on a card gave.
struct Measurement {
    Ledger ledger;
    RunHistory history;
    CardFacts card;
    std::string backend;
    std::string framework;
    /// At the end, of that backend alone.
    std::vector<std::pair<std::string, std::uint64_t>> figures;
    /// In the order of `Ledger::graphs`.
    std::vector<MeasuredGraph> graphs;
    std::vector<MeasuredCollective> collectives;
    /// "NCCL 2.28.9", and what the environment tells it; empty without collectives.
    std::string collective_library;
    std::vector<std::pair<std::string, std::string>> collective_environment;
    Rank rank;
    std::vector<Corruption> corruption;
    /// Reads that were looked at, and those that could not be: nothing known was written there.
    std::uint64_t verified_reads = 0;
    std::uint64_t unverified_reads = 0;
    /// What was taken of the card so that no more is left than the Program's machine has.
    Bytes ballast;
    /// What the figures leave out, one sentence each.
    std::vector<std::string> warnings;
};

}  // namespace highwater::gpu
