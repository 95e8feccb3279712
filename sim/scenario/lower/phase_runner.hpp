#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/lower/bucket_span.hpp"
#include "sim/scenario/lower/kv_cache_op.hpp"
#include "sim/scenario/lower/segments.hpp"
#include "sim/scenario/lower/serving.hpp"

namespace highwater {

class StepRunner;

/// Runs the steps that run a model: passes through it, for lists of buckets.
class PhaseRunner {
  public:
    PhaseRunner(StepRunner& steps, Position& position, ProgramBuilder& builder)
        : steps_(steps), position_(position), builder_(builder), buffers_(builder) {}

    void run(const step::LoadWeights& step);
    void run(const step::Forward& step);
    void run(const step::CaptureBuckets& step);
    void run(const step::ReplayBuckets& step);
    void run(const step::DestroyGraphs& step);
    void run(const step::Serve& step);
    void run(const step::KvCache& step);

    const std::vector<ServedBucket>& served() const { return served_.rows(); }
    const std::vector<KvCacheOp>& kv_caches() const { return kv_caches_; }
    const std::vector<BucketSpan>& bucket_spans() const { return bucket_spans_; }

  private:
    using Tensors = std::vector<std::optional<TensorId>>;

    /// The capture of one bucket.
    struct Capturing {
        const step::Pass& pass;
        const step::CaptureOptions& options;
        std::int64_t bucket;
        std::string graph;
        StreamId on;
    };

    const Template& model_of(const std::optional<PlacedText>& name) const;
    TemplateUse& use_of(const Template& model);
    std::vector<std::int64_t> buckets_of(const BucketChoice& choice);
    /// Defines what is known in the whole pass: the scope to go back to.
    std::size_t begin_pass(const Template& model,
                           const Arguments& given,
                           std::optional<std::int64_t> bucket);
    /// Runs the model for the bucket on the current stream.
    Tensors pass(const step::Pass& pass, std::int64_t bucket);
    void drop(const Tensors& outputs);

    std::string graph_of(const std::optional<Formula>& base, std::int64_t bucket);
    /// The handle that the bucket's graph shares with others, if it shares one.
    std::optional<PlacedText> pool_of(const step::CaptureOptions& options, std::int64_t bucket);
    PlacedText handle(const std::string& name, const SourcePlace& place);
    void capture(const step::Pass& pass, const step::CaptureOptions& options, std::int64_t bucket);
    void capture_whole(const Capturing& capturing, CapturedBucket& into);
    void capture_segments(const Capturing& capturing, CapturedBucket& into);
    std::string name_anew(const std::string& graph);
    std::string output_policy(const step::CaptureOptions& options) const;
    void give_up_outputs(const Capturing& capturing, Tensors& outputs);
    void keep_outputs(const Capturing& capturing, const Tensors& outputs, CapturedBucket& into);
    /// Throws `InputError` if there is none.
    const CapturedBucket& captured(const std::string& graph) const;
    void replay(const step::Pass& pass, const std::string& graph, std::int64_t bucket);
    void destroy(const std::string& graph);
    void serve(const step::Serve& step,
               std::int64_t batch,
               const std::vector<std::int64_t>& buckets);

    StepRunner& steps_;
    Position& position_;
    ProgramBuilder& builder_;
    StaticBuffers buffers_;
    std::map<std::string, std::unique_ptr<TemplateUse>> models_;
    std::map<std::string, CapturedBucket> captured_;
    /// How often each graph's name has been captured.
    std::map<std::string, std::size_t> captures_;
    Serving served_;
    std::vector<KvCacheOp> kv_caches_;
    std::vector<BucketSpan> bucket_spans_;
};

}  // namespace highwater
