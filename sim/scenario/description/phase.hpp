#pragma once

#include <optional>
#include <vector>

#include "sim/scenario/description/buckets.hpp"
#include "sim/scenario/description/step_parts.hpp"

/// The steps that run the model. `model` names the template, "model" if it is not given.
namespace highwater::step {

/// What all passes through a model have in common.
struct Pass {
    std::optional<PlacedText> model;
    BucketChoice buckets;
    /// For the model's parameters.
    Arguments arguments;
    std::optional<Formula> stream;
};

/// Allocates the weights of the model and of every template in it, each as often as it is run.
struct LoadWeights {
    std::optional<PlacedText> model;
    Arguments arguments;
    std::optional<Formula> stream;
};

/// Eager passes, `times` for each bucket. What they return is dropped, or kept as `out`.
struct Forward {
    Pass pass;
    std::optional<Formula> times;
    std::optional<TensorName> out;
};

/// What becomes of what a captured pass returns.
struct Output {
    /// `hold`: kept until the graphs are destroyed; `drop`: gone before the capture ends; `late`:
    /// gone right after; `copy`: copied to the tensor `to`, then gone.
    PlacedText policy;
    std::optional<TensorName> to;
};

/// How captures of buckets are taken.
struct CaptureOptions {
    /// The graph of bucket b is `graph[b]`.
    std::optional<Formula> graph;
    /// `shared`, `private`, or the name of a pool.
    std::optional<PlacedText> pool;
    /// Buckets for which this gives the same value share a pool.
    std::optional<Formula> pool_of;
    std::optional<Output> output;
    /// Not there: one graph a bucket. Else a graph between any two `eager` steps, and what crosses
    /// from one to the next is held as `strong`, `weak` or `copy` says.
    std::optional<PlacedText> segments;
    bool raw = false;
    /// As in `Capture`.
    std::optional<PlacedText> mode;
};

struct CaptureBuckets {
    Pass pass;
    CaptureOptions options;
};

/// In segments the steps between the graphs run anew.
struct ReplayBuckets {
    Pass pass;
    std::optional<Formula> graph;
};

/// Destroys the graphs of the buckets and drops what they hold.
struct DestroyGraphs {
    BucketChoice buckets;
    std::optional<Formula> graph;
};

/// Serves batches, each with the smallest bucket that holds it; what is larger runs eagerly.
struct Serve {
    Pass pass;
    BucketSpec batches;
    CaptureOptions options;
    /// `ahead`: the graphs are there; `lazy`: each is captured on first use; `always`: anew at each
    /// use.
    std::optional<PlacedText> capture;
    /// Whether the graph that a new capture replaces is destroyed.
    bool release = true;
};

/// One tensor for the keys and values of all tokens.
struct KvCache {
    TensorName tensor;
    Formula bytes_per_token;
    /// Not there: as many as fit.
    std::optional<Formula> tokens;
    /// Tokens come in blocks of this many.
    std::optional<Formula> block;
    std::optional<Formula> keep_free;
    std::optional<Formula> stream;
};

}  // namespace highwater::step
