#include "sim/scenario/parse/language.hpp"

namespace highwater::language {
namespace {

using namespace form;

// `record_event: e`, or with a stream.
Form name_or(const MapForm& map_form) {
    return any_of({reference(), map(map_form)});
}

std::vector<KeyForm> body() {
    return {{"do", form::steps(), "The steps inside."},
            {"call", name(), "A procedure instead of steps."},
            {"with", map_of(expression()), "The procedure's arguments."}};
}

KeyForm on_stream() {
    return {"stream", reference(), "Instead of the current stream."};
}

KeyForm duration() {
    return {"duration", expression(), "How long it lasts: `12 us`."};
}

// Of whatever launches a kernel.
std::vector<KeyForm> cost() {
    return {{"duration", expression(), "How long it lasts at least: `12 us`."},
            {"width", expression(), "The share of the card that it can use, up to 1."},
            {"flops", expression(), "Operations, for the time they take at the card's rate."},
            {"dtype", text(), "The number type of the operations; `bf16` if none is given."},
            {"bytes", expression(), "Bytes read and written, for the time that takes."}};
}

}  // namespace

const MapForm& kernel() {
    static const MapForm kForm{"a kernel",
                               together({{on_stream(),
                                          {"reads", some(reference()), "Tensors it reads."},
                                          {"writes", some(reference()), "Tensors it writes."}},
                                         cost()})};
    return kForm;
}

const MapForm& memset() {
    static const MapForm kForm{"a memset",
                               {{"tensor", reference(), "The tensor."}, on_stream(), duration()}};
    return kForm;
}

const MapForm& copy() {
    static const MapForm kForm{"a copy",
                               {{"kind",
                                 words({"host_to_device", "device_to_host", "device_to_device"}),
                                 "Where from and where to; without, `from` and `to` say it."},
                                {"size", expression(), "Bytes; the tensor's if none are given."},
                                {"from", reference(), "A tensor that it reads."},
                                {"to", reference(), "A tensor that it writes."},
                                on_stream(),
                                {"blocking", flag(), "The host waits for it."}}};
    return kForm;
}

const MapForm& host_function() {
    static const MapForm kForm{"a host function", {on_stream(), duration()}};
    return kForm;
}

const MapForm& wait() {
    static const MapForm kForm{"a wait",
                               {{"stream", reference(), "The stream that waits."},
                                {"for", reference(), "The stream that is waited for."}}};
    return kForm;
}

const MapForm& event() {
    static const MapForm kForm{"the step of an event",
                               {{"event", reference(), "The event."}, on_stream()}};
    return kForm;
}

const MapForm& tensor() {
    static const MapForm kForm{"the step of a tensor",
                               {{"tensor", reference(), "The tensor."}, on_stream()}};
    return kForm;
}

const MapForm& graph() {
    static const MapForm kForm{"the step of a graph",
                               {{"graph", reference(), "The graph."}, on_stream()}};
    return kForm;
}

const MapForm& mem_pool() {
    static const MapForm kForm{"mem_pool",
                               {{"pool", reference(), "The pool."},
                                {"use_on_oom", flag(), "Others may use its memory when out of it."},
                                {"no_split", flag(), "Its blocks are not split."}}};
    return kForm;
}

const MapForm& use_mem_pool() {
    static const MapForm kForm{"use_mem_pool",
                               together({{{"pool", reference(), "The pool."}}, body()})};
    return kForm;
}

const MapForm& save_pool() {
    static const MapForm kForm{
        "save_pool",
        {{"pool", reference(), "The pool."}, {"name", reference(), "For its `restore_pool`."}}};
    return kForm;
}

const MapForm& driver_memory() {
    static const MapForm kForm{
        "driver_memory",
        {{"name", reference(), "Who has it."},
         {"kind", words({"library", "collective", "other"}), "What that is."},
         {"size", expression(), "Bytes."},
         {"error", expression(), "How many bytes more or fewer it may be."},
         {"within", expression(), "The same as a share of the size: 0.15."},
         {"source", text(), "Where the figure comes from."},
         {"stream",
          reference(),
          "`cudaMallocAsync` on it: in its capture a node, whose memory comes with the first "
          "replay."}}};
    return kForm;
}

const MapForm& communicator() {
    static const MapForm kForm{
        "communicator",
        {{"name", reference(), "For its collectives."},
         {"size", expression(), "Bytes of the driver that it takes at once."},
         {"first_use", expression(), "More with its first collective."},
         {"captured", expression(), "More with each collective that is captured."},
         {"error", expression(), "How far `size` and `first_use` together may be off."},
         {"within", expression(), "The same as a share of them: 0.15."},
         {"source", text(), "Where the figures come from."}}};
    return kForm;
}

const MapForm& collective() {
    static const MapForm kForm{
        "a collective",
        together({{{"all_reduce", reference(), "The tensor that becomes the sum of all ranks'."},
                   {"communicator", reference(), "Which one."},
                   on_stream()},
                  cost()})};
    return kForm;
}

const MapForm& capture() {
    static const MapForm kForm{
        "a capture",
        together({{{"graph", reference(), "The graph that it makes."},
                   {"pool", reference(), "A pool, to share it with others; else its own."},
                   {"stream", reference(), "Instead of the class's own stream."},
                   {"raw", flag(), "`capture_begin` and `capture_end` alone."},
                   {"mode", text(), "`capture_error_mode`: `global`, `thread_local` or `relaxed`."},
                   {"end_on", reference(), "The current stream where it ends."},
                   {"end_thread", name(), "The host thread that ends it."}},
                  body()})};
    return kForm;
}

const MapForm& branch() {
    static const MapForm kForm{"a branch",
                               together({{{"name", name(), "For its `join`."},
                                          {"stream", reference(), "Where its steps run."}},
                                         body()})};
    return kForm;
}

const MapForm& operation() {
    static const MapForm kForm{
        "an operation",
        together({{{"in", some(reference()), "Tensors it reads."},
                   {"out", map_of(expression()), "Tensors it makes, with their sizes."},
                   {"scratch", map_of(expression()), "Tensors it makes and gives back at its end."},
                   {"in_place", some(reference()), "Tensors it changes."},
                   {"uses", some(name()), "Workspaces it needs."}},
                  cost()})};
    return kForm;
}

const MapForm& template_use() {
    static const MapForm kForm{"a template's use",
                               {{"in", some(reference()), "The template's inputs."},
                                {"out", some(reference()), "Names for the template's outputs."},
                                {"with", map_of(expression()), "The template's arguments."}}};
    return kForm;
}

const std::vector<KeyForm>& companions() {
    static const std::vector<KeyForm> kKeys =
        together({body(),
                  {{"then", form::steps(), "The steps where the condition holds."},
                   {"else", form::steps(), "The steps where it does not."},
                   {"when", expression(), "The step is left out where this is false."}}});
    return kKeys;
}

const std::vector<std::string_view>& bare_steps() {
    static const std::vector<std::string_view> kNames{
        "sync", "kernel", "host_function", "empty_cache", "reset_peaks", "load_weights"};
    return kNames;
}

namespace {

std::vector<KeyForm> host_steps() {
    const Form empty = any_of({nothing(), map_of(expression())});
    return {
        {"alloc", map_of(expression()), "Tensors and their sizes in bytes."},
        {"free", some(reference()), "Tensors to be given back."},
        {"kernel", any_of({map(kernel()), nothing()}), "A launch."},
        {"memset", name_or(memset()), "Writes a tensor: `cudaMemsetAsync`."},
        {"copy", map(copy()), "`cudaMemcpyAsync`."},
        {"item", name_or(tensor()), "`tensor.item()`: the host waits for one number."},
        {"host_function",
         any_of({map(host_function()), nothing()}),
         "`cudaLaunchHostFunc`: the host's code in the stream's order."},
        {"host_work", expression(), "The host is busy with something else: `200 us`."},
        {"wait", map(wait()), "`stream.wait_stream(for)`."},
        {"record_event", name_or(event()), "An event on the stream."},
        {"wait_event", name_or(event()), "The stream waits for the event."},
        {"record_stream", name_or(tensor()), "The stream uses the tensor."},
        {"sync", any_of({reference(), nothing()}), "The host waits for a stream, or for all."},
        {"sync_event", reference(), "`event.synchronize()`."},
        {"query_event", reference(), "`event.query()`."},
        {"driver_memory", map(driver_memory()), "Memory of others, beside PyTorch's allocator."},
        {"free_driver_memory", reference(), "They give it back."},
        {"communicator", map(communicator()), "The ranks make a communicator with each other."},
        {"collective", map(collective()), "All ranks together: `ncclAllReduce` in place."},
        {"empty_cache", empty, "`torch.cuda.empty_cache()`."},
        {"reset_peaks", empty, "`torch.cuda.reset_peak_memory_stats()`."},
        {"checkpoint", reference(), "A name for the counters at this moment."},
        {"set_allocator", any_of({text(), nothing()}), "Settings changed while it runs."},
        {"hold", reference(), "Nothing on the stream completes until `release`."},
        {"release", reference(), "Ends `hold`."},
    };
}

// Steps that hold others.
std::vector<KeyForm> block_steps() {
    return {
        {"for", map_of(expression()), "An index and its count, from 0; with `do` or `call`."},
        {"repeat", expression(), "A count; with `do` or `call`."},
        {"if", expression(), "A condition; with `then`, and perhaps `else`."},
        {"on", reference(), "`with torch.cuda.stream(...)`; with `do` or `call`."},
        {"thread", name(), "What another host thread does; with `do` or `call`."},
        {"try",
         reference(),
         "What fails in its `do` or `call` ends that only; `NAME.failed` in measures."},
        {"call", name(), "A procedure's steps; with `with`."},
    };
}

std::vector<KeyForm> graph_steps() {
    return {
        {"capture",
         any_of({map(capture()), map(capture_buckets())}),
         "`torch.cuda.graph`; or of buckets, one graph each."},
        {"replay", any_of({reference(), map(graph()), map(replay_buckets())}), "A graph's replay."},
        {"destroy_graph", reference(), "Destroys a graph."},
        {"graph_pool_handle", reference(), "A handle, for captures that share a pool."},
        {"mem_pool", name_or(mem_pool()), "`torch.cuda.MemPool`."},
        {"use_mem_pool", map(use_mem_pool()), "`with torch.cuda.use_mem_pool(...)`."},
        {"destroy_mem_pool", reference(), "Destroys a pool."},
        {"save_pool", map(save_pool()), "Notes what a pool holds, as cudagraph trees do."},
        {"restore_pool", reference(), "Sets the pool back to that."},
    };
}

// Of templates, and phases.
std::vector<KeyForm> model_steps() {
    return {
        {"layers", expression(), "A count: a loop whose index is `layer`; in templates."},
        {"branch", map(branch()), "Work on another stream, until its `join`."},
        {"join", name(), "The current stream waits for a branch."},
        {"view", map_of(reference()), "Another name for a tensor."},
        {"weak_view", map_of(reference()), "Another name for its memory, which does not keep it."},
        {"eager", form::steps(), "Steps outside of the graphs of a capture in segments."},
        {"load_weights",
         any_of({map(load_weights()), nothing()}),
         "Allocates the weights of the model and its templates."},
        {"warm_up", map(forward()), "Eager passes before the captures."},
        {"forward", map(forward()), "Eager passes through the model."},
        {"destroy_graphs", map(destroy_graphs()), "Destroys the graphs of buckets."},
        {"serve", map(serve()), "Batches, each with the smallest bucket that holds it."},
        {"kv_cache", map(kv_cache()), "One tensor for the keys and values of all tokens."},
    };
}

}  // namespace

const std::vector<KeyForm>& steps() {
    static const std::vector<KeyForm> kKeys =
        together({host_steps(), block_steps(), graph_steps(), model_steps()});
    return kKeys;
}

}  // namespace highwater::language
