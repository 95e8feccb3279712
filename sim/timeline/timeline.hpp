#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "sim/allocator/ports.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/time.hpp"
#include "sim/driver/time_profile.hpp"
#include "sim/timeline/card.hpp"
#include "sim/timeline/graph_plan.hpp"
#include "sim/timeline/timeline_listener.hpp"

namespace highwater {

/// What a stream is given to do.
struct Work {
    using Unit = WorkUnit;
    Duration duration{};
    float width = 1;
    Unit unit = Unit::kCard;
};

/// Host threads that run ahead of streams that work: a discrete-event simulation. What happens is
/// ordered by time, and at one time by the order in which it was planned. Streams are queues: an
/// item begins when the one before it is done.
///
/// The card is simulated as far as somebody asks: up to the host's present when an event is
/// queried, up to the event when the host waits for it.
class Timeline : public EventSource {
  public:
    /// `times` outlives the timeline.
    Timeline(const TimeProfile& times, std::size_t streams, std::size_t threads);

    // The host thread under way. Every call of it takes the profile's time.

    Instant now() const { return threads_[thread_]; }
    void spend(Duration time) { threads_[thread_] += time; }
    /// The next call of the thread under way begins. No call begins before the one before it in
    /// the Program has begun, whichever threads they are of.
    void begin_call();
    void switch_thread(ThreadId thread);
    /// What the host does from now on, for the listener: a number of the caller's.
    void set_origin(std::size_t origin) { origin_ = origin; }
    /// Null for none. It outlives its use here.
    void set_listener(TimelineListener* listener) { listener_ = listener; }

    // Streams.

    /// Waits for room first, if the stream's queue of launches is full.
    void launch(StreamId stream, const Work& work);
    /// `tag` says in `graph_runs` whose runs they were.
    void launch_graph(StreamId stream, std::shared_ptr<const GraphPlan> plan, std::size_t tag = 0);
    /// cudaStreamWaitEvent.
    void wait(StreamId stream, EventId event);
    /// What is put into the stream from now on waits until `release`.
    void hold(StreamId stream);
    void release(StreamId stream);

    // The driver's own bookkeeping of what streams do takes no calls.

    /// As `record`, `completed` and `wait`.
    EventId mark(StreamId stream);
    bool is_done(EventId event);
    void depend(StreamId stream, EventId event);

    EventId record(StreamId stream) override;
    bool completed(EventId event) override;
    /// Throws `PredictedError` if the event is behind a held stream: the host would wait for ever.
    void synchronize(EventId event) override;
    void synchronize(StreamId stream);
    /// cudaDeviceSynchronize: one wait for all streams.
    void synchronize_device();
    /// Waits for all that is not behind a held stream, as cudaFree does.
    void wait_for_card();

    /// Simulates the card up to the present of the host.
    void catch_up();

    // What came out.

    /// Lets all go on that can, without the host: after that the figures are final.
    void drain();
    /// When the last of host and card was done, host functions in streams included.
    Instant end() const;
    /// Until the card's present: how long the stream was at work, a wait for room on the card
    /// included, or anything of the card.
    Duration busy(StreamId stream) const { return streams_[index_of(stream)].busy_time; }
    Duration busy() const {
        return busy_time_ + (at_work_ > 0 ? card_now_ - at_work_since_ : Duration{});
    }
    /// How long the card had nothing to do because the host had not launched it yet.
    Duration host_bound() const { return host_bound_; }
    /// How long host threads waited for the card.
    Duration host_waited() const { return host_waited_; }
    /// Runs of graphs that are done, by tag.
    struct GraphRuns {
        std::uint64_t count = 0;
        Duration time{};
    };
    GraphRuns graph_runs(std::size_t tag) const {
        return tag < graph_runs_.size() ? graph_runs_[tag] : GraphRuns{};
    }
    /// All that was ever launched, one after the other: the timeline cannot be longer.
    Duration work() const { return work_; }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct Item {
        enum class Kind : std::uint8_t { kWork, kGraph, kRecord, kWait, kHold };
        Kind kind{};
        Work::Unit unit{};
        Share width{};
        Duration duration{};
        /// When the host put it in.
        Instant put{};
        /// An event, a run of a graph, or a hold.
        std::uint64_t what = 0;
        std::size_t origin = 0;
    };
    struct Stream {
        std::deque<Item> items;
        /// The first item is at work, or its beginning is planned, or it waits for an event.
        bool is_busy = false;
        bool is_planned = false;
        bool is_waiting = false;
        /// No work begins before.
        Instant ready{};
        Instant busy_since{};
        Instant waiting_since = Instant::max();
        Duration busy_time{};
        std::uint64_t launches = 0;
        /// The next stream that waits for the same event.
        std::uint32_t next_waiter = kNone;
        /// The hold of its own that is in force, as number + 1.
        std::uint64_t hold = 0;
    };
    struct Event {
        bool is_done = false;
        Instant at{};
        std::uint32_t first_waiter = kNone;
    };
    struct Run {
        std::shared_ptr<const GraphPlan> plan;
        std::vector<std::uint32_t> dependencies;
        /// When each node began; empty while nobody listens.
        std::vector<Instant> began;
        std::size_t left = 0;
        std::uint32_t stream = 0;
        std::size_t tag = 0;
    };
    /// Something planned. At one time what was planned first comes first.
    struct Planned {
        enum class Kind : std::uint8_t { kLookAtStream, kStreamDone, kBeginNode, kNodeDone };
        Instant at{};
        std::uint64_t sequence = 0;
        Kind kind{};
        /// A stream, or a run.
        std::uint32_t who = 0;
        std::uint32_t node = 0;
        friend bool operator>(const Planned& a, const Planned& b) {
            return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
        }
    };

    Stream& stream_of(StreamId stream) { return streams_[index_of(stream)]; }
    void put(StreamId stream, Item item);
    void await_room(StreamId stream);
    bool step();
    void finish_on(Card& unit);
    void carry_out(const Planned& planned);
    void plan(Instant at, Planned::Kind kind, std::uint32_t who, std::uint32_t node = 0);
    /// Takes the streams on whose first item may go on now.
    void go_on(std::uint32_t stream);
    bool take_first(std::uint32_t stream);
    bool pass_record(std::uint32_t stream);
    bool pass_wait(std::uint32_t stream);
    void begin_first(std::uint32_t stream);
    void begin_graph(std::uint32_t stream, std::uint32_t run);
    void first_done(std::uint32_t stream);
    void begin_node(std::uint32_t run, std::uint32_t node);
    void node_done(std::uint32_t run, std::uint32_t node);
    void count_begin(bool by_host);
    void count_end();
    void run_done(std::uint32_t run, Duration time);
    void tell_first_done(std::uint32_t stream, const Item& item);
    void tell_node_done(const Run& run, std::uint32_t node);
    void tell_waited(std::uint32_t stream, const Item& item);
    std::uint32_t new_run();
    void run_until_done(EventId event);
    void await(Instant at);

    const TimeProfile& times_;
    std::vector<Instant> threads_;
    std::size_t thread_ = 0;
    std::size_t origin_ = 0;
    TimelineListener* listener_ = nullptr;
    Instant last_call_{};
    std::vector<Stream> streams_;
    /// Event 0 was done from the beginning.
    std::vector<Event> events_{Event{true, {}, kNone}};
    std::vector<bool> released_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> free_runs_;
    std::vector<GraphRuns> graph_runs_;
    std::priority_queue<Planned, std::vector<Planned>, std::greater<>> planned_;
    std::uint64_t sequence_ = 0;
    /// Multiprocessors, and the copy engines of both directions.
    std::array<Card, 3> units_;
    std::vector<std::uint32_t> to_look_at_;
    bool is_looking_ = false;
    /// The card's present.
    Instant card_now_{};
    std::size_t at_work_ = 0;
    Instant at_work_since_{};
    Instant idle_since_{};
    /// When the last item of any stream was.
    Instant last_done_{};
    Duration busy_time_{};
    Duration host_bound_{};
    Duration host_waited_{};
    Duration work_{};
};

}  // namespace highwater
