#include "sim/scenario/lower/segments.hpp"

#include <utility>

#include <fmt/format.h>

namespace highwater {

TensorId StaticBuffers::of(const std::string& name,
                           Bytes size,
                           StreamId on,
                           const SourcePlace& place) {
    std::vector<Buffer>& buffers = buffers_[name];
    for (const Buffer& buffer : buffers) {
        // One reference is this object's own.
        if (builder_.references(buffer.tensor) > 1) {
            continue;
        }
        if (buffer.size < size) {
            throw InputError(place,
                             fmt::format("the static buffer of `{}` has {} bytes, made by the "
                                         "first bucket, and a later one needs {}",
                                         name,
                                         buffer.size.count,
                                         size.count),
                             "capture the largest bucket first: `order: desc`");
        }
        return buffer.tensor;
    }
    buffers.push_back({builder_.new_tensor("static." + name), size});
    builder_.allocate(buffers.back().tensor, size, on, place);
    return buffers.back().tensor;
}

bool CaptureInSegments::takes_work() {
    if (began_at_) {
        return true;
    }
    const SourcePlace place = position_.place;
    if (!options_.raw) {
        builder_.prepare_capture(place);
    }
    into_.graphs.push_back(fmt::format("{}[{}]", options_.graph, into_.graphs.size()));
    began_at_ = builder_.operations();
    builder_.begin_capture({into_.graphs.back(), options_.stream, options_.pool, options_.mode},
                           place);
    return true;
}

// A segment is replayed at once, so that what comes after it finds its results.
void CaptureInSegments::end_segment() {
    if (!began_at_) {
        return;
    }
    const SourcePlace place = position_.place;
    builder_.end_capture(place);
    builder_.replay(into_.graphs.back(), outside(), place);
    for (const auto& [tensor, size] : builder_.live_since(*std::exchange(began_at_, {}))) {
        if (options_.crossing == Crossing::kStrong) {
            builder_.retain(tensor);
            into_.held.push_back(tensor);
        } else if (options_.crossing == Crossing::kCopy) {
            copy_out(tensor, size);
        }
    }
}

// The copy runs after the graph, and then nothing needs the graph's own tensor.
void CaptureInSegments::copy_out(TensorId tensor, Bytes size) {
    std::optional<TensorId> buffer;
    for (Frame* frame = names_.frame; frame != nullptr; frame = frame->caller()) {
        const std::optional<std::string> name = frame->name_of(tensor);
        if (!name) {
            continue;
        }
        if (!buffer) {
            buffer = buffers_.of(*name, size, outside(), position_.place);
            builder_.copy(outside(), tensor, *buffer, position_.place);
        }
        frame->replace(tensor, *buffer, position_.place);
    }
}

void ReplayInSegments::end_segment() {
    if (!std::exchange(has_work_, false)) {
        return;
    }
    if (next_ == bucket_.graphs.size()) {
        refuse_other_model();
    }
    builder_.replay(bucket_.graphs[next_++], outside(), position_.place);
}

void ReplayInSegments::finish() {
    end_segment();
    if (next_ < bucket_.graphs.size()) {
        refuse_other_model();
    }
}

void ReplayInSegments::refuse_other_model() const {
    throw InputError(position_.place,
                     fmt::format("the replay does not come by the {} graphs that were captured",
                                 bucket_.graphs.size()),
                     "replay the model that was captured, `with` the same");
}

}  // namespace highwater
