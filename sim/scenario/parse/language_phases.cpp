#include "sim/scenario/parse/language.hpp"

namespace highwater::language {
namespace {

using namespace form;

Form bucket_choice() {
    return any_of({some(expression()), map(buckets())});
}

// Of every pass through a model.
std::vector<KeyForm> pass() {
    return {{"model", name(), "A template instead of `model`."},
            {"buckets", bucket_choice(), "A list of `buckets` by its name, or batch sizes."},
            {"with", map_of(expression()), "The model's arguments."},
            {"stream", reference(), "Instead of the current stream."}};
}

std::vector<KeyForm> capture_options() {
    return {{"graph", reference(), "The graph of bucket b is `graph[b]`."},
            {"pool",
             any_of({text(), map(pool_of())}),
             "`shared`, `private`, a pool's name, or `{of: expression}`."},
            {"output",
             any_of({text(), map(output())}),
             "`hold`, `drop` or `late`, or `{copy_to: tensor}`: what becomes of the output."},
            {"segments",
             text(),
             "Graphs between `eager` steps; what crosses is held as `strong`, `weak` or `copy`; "
             "`none`: one graph."},
            {"raw", flag(), "`capture_begin` and `capture_end` alone."},
            {"mode", text(), "`capture_error_mode`: `global`, `thread_local` or `relaxed`."}};
}

}  // namespace

const MapForm& pool_of() {
    static const MapForm kForm{
        "a pool",
        {{"of", expression(), "Buckets for which this gives the same value share a pool."}}};
    return kForm;
}

const MapForm& output() {
    static const MapForm kForm{"an output",
                               {{"copy_to", reference(), "A tensor that is allocated before."},
                                {"mode",
                                 text(),
                                 "`copy`, which it is without this key, or another word for the "
                                 "output: a parameter may decide."}}};
    return kForm;
}

const MapForm& load_weights() {
    static const MapForm kForm{"load_weights",
                               {{"model", name(), "A template instead of `model`."},
                                {"with", map_of(expression()), "The model's arguments."},
                                {"stream", reference(), "Instead of the current stream."}}};
    return kForm;
}

const MapForm& forward() {
    static const MapForm kForm{
        "a forward pass",
        together({pass(),
                  {{"times", expression(), "Passes for each bucket."},
                   {"out", reference(), "Keeps what the last pass returns."}}})};
    return kForm;
}

const MapForm& capture_buckets() {
    static const MapForm kForm{"a capture of buckets", together({pass(), capture_options()})};
    return kForm;
}

const MapForm& replay_buckets() {
    static const MapForm kForm{
        "a replay of buckets",
        together({pass(), {{"graph", reference(), "The graph of bucket b is `graph[b]`."}}})};
    return kForm;
}

const MapForm& destroy_graphs() {
    static const MapForm kForm{"destroy_graphs",
                               {{"buckets", bucket_choice(), "Whose graphs."},
                                {"graph", reference(), "The graph of bucket b is `graph[b]`."}}};
    return kForm;
}

const MapForm& serve() {
    static const MapForm kForm{
        "serve",
        together(
            {pass(),
             capture_options(),
             {{"batches", bucket_choice(), "The batches' sizes, in order."},
              {"capture",
               text(),
               "`ahead`: the graphs are there; `lazy`: at first use; `always`: at each."},
              {"release", flag(), "Whether the graph that a new one replaces is destroyed."}}})};
    return kForm;
}

const MapForm& kv_cache() {
    static const MapForm kForm{"a cache",
                               {{"tensor", reference(), "Its name; `kv_cache` if there is none."},
                                {"bytes_per_token", expression(), "Of all layers."},
                                {"tokens", expression(), "How many, or `rest`: as many as fit."},
                                {"block", expression(), "Tokens come in blocks of this many."},
                                {"keep_free", expression(), "Bytes that `rest` leaves."},
                                {"stream", reference(), "Instead of the current stream."}}};
    return kForm;
}

}  // namespace highwater::language
