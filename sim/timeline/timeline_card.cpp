// Timeline's card: what happens on its own, without the host.
#include <algorithm>
#include <utility>

#include "sim/core/check.hpp"
#include "sim/timeline/timeline.hpp"

namespace highwater {
namespace {

// A kernel's ticket on the card: a stream's, or a node's of a run.
constexpr Card::Ticket kOfStream = Card::Ticket{1} << 63U;
constexpr unsigned kRunBits = 32;

}  // namespace

void Timeline::put(StreamId stream, Item item) {
    Stream& to = stream_of(stream);
    item.origin = origin_;
    to.items.push_back(item);
    if (to.items.size() == 1) {
        go_on(static_cast<std::uint32_t>(index_of(stream)));
    }
}

void Timeline::plan(Instant at, Planned::Kind kind, std::uint32_t who, std::uint32_t node) {
    planned_.push({at, sequence_++, kind, who, node});
}

// What ends comes before what begins at the same time.
bool Timeline::step() {
    Card* first = nullptr;
    for (Card& unit : units_) {
        if (unit.next_finish() &&
            (first == nullptr || *unit.next_finish() < *first->next_finish())) {
            first = &unit;
        }
    }
    if (first != nullptr && (planned_.empty() || *first->next_finish() <= planned_.top().at)) {
        finish_on(*first);
        return true;
    }
    if (planned_.empty()) {
        return false;
    }
    const Planned next = planned_.top();
    planned_.pop();
    card_now_ = std::max(card_now_, next.at);
    carry_out(next);
    return true;
}

void Timeline::finish_on(Card& unit) {
    card_now_ = std::max(card_now_, *unit.next_finish());
    const Card::Ticket ticket = unit.finish();
    if ((ticket & kOfStream) != 0) {
        first_done(static_cast<std::uint32_t>(ticket & ~kOfStream));
    } else {
        node_done(static_cast<std::uint32_t>(ticket >> kRunBits),
                  static_cast<std::uint32_t>(ticket));
    }
}

void Timeline::carry_out(const Planned& planned) {
    switch (planned.kind) {
        case Planned::Kind::kLookAtStream:
            streams_[planned.who].is_planned = false;
            go_on(planned.who);
            return;
        case Planned::Kind::kStreamDone:
            first_done(planned.who);
            return;
        case Planned::Kind::kBeginNode:
            begin_node(planned.who, planned.node);
            return;
        case Planned::Kind::kNodeDone:
            node_done(planned.who, planned.node);
            return;
    }
}

// A list in place of recursion: a chain of streams that wait for each other may be long.
void Timeline::go_on(std::uint32_t stream) {
    to_look_at_.push_back(stream);
    if (is_looking_) {
        return;
    }
    is_looking_ = true;
    while (!to_look_at_.empty()) {
        const std::uint32_t next = to_look_at_.back();
        to_look_at_.pop_back();
        while (take_first(next)) {
        }
    }
    is_looking_ = false;
}

// Whether the stream's first item is gone, and the next may go on.
bool Timeline::take_first(std::uint32_t stream) {
    Stream& of = streams_[stream];
    if (of.items.empty() || of.is_busy || of.is_planned || of.is_waiting) {
        return false;
    }
    const Item& item = of.items.front();
    switch (item.kind) {
        case Item::Kind::kRecord:
            return pass_record(stream);
        case Item::Kind::kWait:
            return pass_wait(stream);
        case Item::Kind::kHold:
            if (released_[item.what]) {
                of.items.pop_front();
                return true;
            }
            return false;
        case Item::Kind::kWork:
        case Item::Kind::kGraph:
            begin_first(stream);
            return false;
    }
    return false;
}

bool Timeline::pass_record(std::uint32_t stream) {
    Stream& of = streams_[stream];
    const Item item = of.items.front();
    if (item.put > card_now_) {
        of.is_planned = true;
        plan(item.put, Planned::Kind::kLookAtStream, stream);
        return false;
    }
    of.items.pop_front();
    Event& event = events_[item.what];
    event.is_done = true;
    event.at = card_now_;
    for (std::uint32_t waiter = event.first_waiter; waiter != kNone;) {
        Stream& next = streams_[waiter];
        next.is_waiting = false;
        to_look_at_.push_back(waiter);
        waiter = std::exchange(next.next_waiter, kNone);
    }
    return true;
}

bool Timeline::pass_wait(std::uint32_t stream) {
    Stream& of = streams_[stream];
    const Item item = of.items.front();
    Event& event = events_[item.what];
    if (event.is_done) {
        tell_waited(stream, item);
        of.ready = std::max(of.ready, event.at + times_.card.stream_wait);
        of.items.pop_front();
        return true;
    }
    of.is_waiting = true;
    of.waiting_since = card_now_;
    of.next_waiter = std::exchange(event.first_waiter, stream);
    return false;
}

void Timeline::begin_first(std::uint32_t stream) {
    Stream& of = streams_[stream];
    const Item item = of.items.front();
    const Instant launched = item.put + times_.card.launch_latency;
    const Instant begins = std::max(launched, of.ready);
    if (begins > card_now_) {
        of.is_planned = true;
        plan(begins, Planned::Kind::kLookAtStream, stream);
        return;
    }
    of.is_busy = true;
    of.busy_since = card_now_;
    if (item.unit != WorkUnit::kHost) {
        count_begin(launched > of.ready);
    }
    if (item.kind == Item::Kind::kGraph) {
        begin_graph(stream, static_cast<std::uint32_t>(item.what));
    } else if (item.unit == Work::Unit::kHost) {
        plan(card_now_ + item.duration, Planned::Kind::kStreamDone, stream);
    } else {
        units_.at(static_cast<std::size_t>(item.unit))
            .start(kOfStream | stream, item.duration, item.width, card_now_);
    }
}

void Timeline::begin_graph(std::uint32_t stream, std::uint32_t run) {
    Run& begun = runs_[run];
    const GraphPlan& plan_of_run = *begun.plan;
    begun.left = plan_of_run.size();
    begun.dependencies.resize(begun.left);
    begun.began.resize(listener_ != nullptr ? begun.left : 0);
    for (std::uint32_t i = 0; i < begun.left; ++i) {
        begun.dependencies[i] = plan_of_run.node(i).dependencies;
        if (begun.dependencies[i] == 0) {
            plan(card_now_, Planned::Kind::kBeginNode, run, i);
        }
    }
    if (begun.left == 0) {
        plan(card_now_, Planned::Kind::kStreamDone, stream);
    }
}

void Timeline::begin_node(std::uint32_t run, std::uint32_t node) {
    const GraphPlan::Node& begun = runs_[run].plan->node(node);
    if (listener_ != nullptr) {
        runs_[run].began[node] = card_now_;
    }
    if (begun.unit != WorkUnit::kHost) {
        units_.at(static_cast<std::size_t>(begun.unit))
            .start((Card::Ticket{run} << kRunBits) | node, begun.duration, begun.width, card_now_);
    } else {
        plan(card_now_ + begun.duration, Planned::Kind::kNodeDone, run, node);
    }
}

void Timeline::node_done(std::uint32_t run, std::uint32_t node) {
    Run& of = runs_[run];
    tell_node_done(of, node);
    for (const std::uint32_t next : of.plan->dependents(node)) {
        if (--of.dependencies[next] == 0) {
            plan(card_now_ + of.plan->node(next).gap, Planned::Kind::kBeginNode, run, next);
        }
    }
    if (--of.left == 0) {
        first_done(of.stream);
    }
}

void Timeline::first_done(std::uint32_t stream) {
    Stream& of = streams_[stream];
    const Item item = of.items.front();
    of.items.pop_front();
    of.is_busy = false;
    last_done_ = card_now_;
    of.busy_time += card_now_ - of.busy_since;
    tell_first_done(stream, item);
    of.ready = card_now_ + times_.card.kernel_gap;
    --of.launches;
    if (item.unit != WorkUnit::kHost) {
        count_end();
    }
    if (item.kind == Item::Kind::kGraph) {
        run_done(static_cast<std::uint32_t>(item.what), card_now_ - of.busy_since);
    }
    go_on(stream);
}

void Timeline::tell_first_done(std::uint32_t stream, const Item& item) {
    if (listener_ == nullptr) {
        return;
    }
    const Span span{streams_[stream].busy_since, card_now_};
    if (item.kind == Item::Kind::kGraph) {
        listener_->graph_done(StreamId{stream}, item.origin, span);
    } else {
        listener_->work_done(StreamId{stream}, item.origin, span);
    }
}

void Timeline::tell_node_done(const Run& run, std::uint32_t node) {
    if (listener_ != nullptr) {
        listener_->node_done(StreamId{run.stream}, run.tag, node, {run.began[node], card_now_});
    }
}

// A stream that never had to wait has no moment from which on it did.
void Timeline::tell_waited(std::uint32_t stream, const Item& item) {
    Stream& of = streams_[stream];
    const Instant since = std::exchange(of.waiting_since, Instant::max());
    if (listener_ != nullptr && since < card_now_) {
        listener_->stream_waited(StreamId{stream}, item.origin, {since, card_now_});
    }
}

void Timeline::count_begin(bool by_host) {
    if (at_work_++ > 0) {
        return;
    }
    at_work_since_ = card_now_;
    if (by_host) {
        host_bound_ += card_now_ - idle_since_;
    }
}

void Timeline::count_end() {
    if (--at_work_ > 0) {
        return;
    }
    busy_time_ += card_now_ - at_work_since_;
    idle_since_ = card_now_;
}

}  // namespace highwater
