#include "sim/plan/buckets/capture_meter.hpp"

#include <variant>

namespace highwater::plan {
namespace {

std::size_t first_capture(const Program& program, const BucketSpan& span) {
    std::size_t op = span.first;
    while (op < span.end && !std::holds_alternative<op::BeginCapture>(program.ops[op])) {
        ++op;
    }
    return op;
}

// Pools do not shrink while captures add to them; what else is given back meanwhile is none of
// theirs.
Bytes more(Bytes now, Bytes before) {
    return now > before ? now - before : Bytes{};
}

}  // namespace

CaptureMeter::CaptureMeter(const Program& program, const std::vector<BucketSpan>& spans)
    : spans_(spans),
      is_read_behind_(program.ops.size()),
      before_(spans.size()),
      growths_(spans.size()) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::size_t first = first_capture(program, spans[i]);
        if (first > 0) {
            begins_.emplace(first - 1, i);
            is_read_behind_[first - 1] = true;
        }
        ends_.emplace(spans[i].end - 1, i);
        is_read_behind_[spans[i].end - 1] = true;
    }
}

void CaptureMeter::took(std::size_t op, const OpResult& /*result*/, const Executor& executor) {
    if (!is_read_behind_[op]) {
        return;
    }
    const auto [end, last_end] = ends_.equal_range(op);
    for (auto each = end; each != last_end; ++each) {
        close(each->second, executor);
    }
    const auto [begin, last_begin] = begins_.equal_range(op);
    for (auto each = begin; each != last_begin; ++each) {
        before_[each->second] = read(executor);
    }
}

void CaptureMeter::failed(std::size_t op, const Executor& executor) {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
        if (spans_[i].first <= op && op < spans_[i].end) {
            close(i, executor);
        }
    }
}

void CaptureMeter::close(std::size_t span, const Executor& executor) {
    const Reading now = read(executor);
    const Reading& before = before_[span];
    growths_[span] = {
        {more(now.use.reserved, before.use.reserved), more(now.use.driver, before.use.driver)},
        more(now.allocated, before.allocated)};
}

CaptureMeter::Reading CaptureMeter::read(const Executor& executor) {
    const MemoryStats stats = executor.stats();
    return {{Bytes{stats.reserved_bytes.all.current}, executor.driver().total()},
            Bytes{stats.allocated_bytes.all.current}};
}

}  // namespace highwater::plan
