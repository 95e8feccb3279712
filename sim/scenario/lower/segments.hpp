#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/lower/tensor_names.hpp"

namespace highwater {

/// The graphs of one bucket and the references to tensors that live as long as they do.
struct CapturedBucket {
    std::vector<std::string> graphs;
    std::vector<TensorId> held;
    /// How it was captured, for replays in segments.
    bool in_segments = false;
};

/// A pass through a model whose graphs end where `eager` steps begin: its capture, or its replay.
class Segments {
  public:
    explicit Segments(StreamId outside) : outside_(outside) {}
    virtual ~Segments() = default;
    Segments(const Segments&) = delete;
    Segments& operator=(const Segments&) = delete;

    /// The stream of what runs between graphs.
    StreamId outside() const { return outside_; }
    /// A step that does work comes. False: it is in the graph and not to be run.
    virtual bool takes_work() = 0;
    /// The graph under way ends here, if one has begun.
    virtual void end_segment() = 0;

  private:
    StreamId outside_;
};

/// Static buffers that segments' outputs are copied to: one for each name of a template's tensor.
class StaticBuffers {
  public:
    explicit StaticBuffers(ProgramBuilder& builder) : builder_(builder) {}

    /// Made on the stream at first use; an `InputError` if it is smaller than asked for now.
    TensorId of(const std::string& name, Bytes size, StreamId on, const SourcePlace& place);

  private:
    struct Buffer {
        TensorId tensor{};
        Bytes size;
    };
    ProgramBuilder& builder_;
    std::map<std::string, std::vector<Buffer>> buffers_;
};

/// What becomes of tensors that are alive where a segment ends.
enum class Crossing { kStrong, kWeak, kCopy };

struct SegmentOptions {
    /// Segment k is `graph[k]`.
    std::string graph;
    PlacedText pool;
    StreamId stream{};
    Crossing crossing = Crossing::kStrong;
    op::CaptureMode mode = op::CaptureMode::kGlobal;
    /// Without the synchronisation and the emptied cache of `torch.cuda.graph`.
    bool raw = false;
};

class CaptureInSegments : public Segments {
  public:
    CaptureInSegments(SegmentOptions options,
                      Position& position,
                      TensorNames& names,
                      ProgramBuilder& builder,
                      StaticBuffers& buffers,
                      CapturedBucket& into)
        : Segments(position.current),
          options_(std::move(options)),
          position_(position),
          names_(names),
          builder_(builder),
          buffers_(buffers),
          into_(into) {}

    bool takes_work() override;
    void end_segment() override;

  private:
    void copy_out(TensorId tensor, Bytes size);

    SegmentOptions options_;
    Position& position_;
    TensorNames& names_;
    ProgramBuilder& builder_;
    StaticBuffers& buffers_;
    CapturedBucket& into_;
    /// Where the segment under way began in the Program.
    std::optional<std::size_t> began_at_;
};

class ReplayInSegments : public Segments {
  public:
    ReplayInSegments(const CapturedBucket& bucket, Position& position, ProgramBuilder& builder)
        : Segments(position.current), bucket_(bucket), position_(position), builder_(builder) {}

    bool takes_work() override {
        has_work_ = true;
        return false;
    }
    void end_segment() override;
    /// The last segment ends. Throws `InputError` if not every graph was replayed.
    void finish();

  private:
    [[noreturn]] void refuse_other_model() const;

    const CapturedBucket& bucket_;
    Position& position_;
    ProgramBuilder& builder_;
    bool has_work_ = false;
    std::size_t next_ = 0;
};

}  // namespace highwater
