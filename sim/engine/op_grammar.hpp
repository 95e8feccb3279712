#pragma once

#include <array>
#include <string_view>

#include "sim/engine/program.hpp"

namespace highwater {

/// How each operation is written: its verb and what follows it, in order. Read and written by the
/// same `fields`, so that the two cannot differ. A `Form` has `name(id)`, `size(bytes)`,
/// `text(string)`, `remark(string)`, `optional_size(keyword, bytes)`, `word(keyword, id)`,
/// `optional_word(keyword, optional id)`, `list(keyword, ids)`, `flag(keyword, bool)`,
/// `time(duration)`, `optional_time(keyword, duration)`, `share(keyword, float)`, `choice(names,
/// enum)` and `optional_choice(keyword, names, enum)`, whose first is left out.
template <class Operation>
struct Grammar;

inline constexpr std::array<std::string_view, 3> kCopyKinds{
    "host_to_device", "device_to_host", "device_to_device"};
inline constexpr std::array<std::string_view, 3> kCaptureModes{"global", "thread_local", "relaxed"};
inline constexpr std::array<std::string_view, 3> kDriverUsers{"library", "collective", "other"};

template <>
struct Grammar<op::Alloc> {
    static constexpr std::string_view kVerb = "alloc";
    static void fields(auto& form, auto& op) {
        form.name(op.tensor);
        form.size(op.size);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::AllocRest> {
    static constexpr std::string_view kVerb = "alloc_rest";
    static void fields(auto& form, auto& op) {
        form.name(op.tensor);
        form.size(op.unit);
        form.size(op.keep_free);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::Free> {
    static constexpr std::string_view kVerb = "free";
    static void fields(auto& form, auto& op) { form.name(op.tensor); }
};
template <>
struct Grammar<op::WeakView> {
    static constexpr std::string_view kVerb = "weak_view";
    static void fields(auto& form, auto& op) {
        form.name(op.view);
        form.word("of", op.of);
    }
};
template <>
struct Grammar<op::RecordStream> {
    static constexpr std::string_view kVerb = "record_stream";
    static void fields(auto& form, auto& op) {
        form.name(op.tensor);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::Kernel> {
    static constexpr std::string_view kVerb = "kernel";
    static void fields(auto& form, auto& op) {
        form.word("on", op.stream);
        form.optional_time("for", op.duration);
        form.share("width", op.width);
        form.list("reads", op.reads);
        form.list("writes", op.writes);
    }
};
template <>
struct Grammar<op::Memset> {
    static constexpr std::string_view kVerb = "memset";
    static void fields(auto& form, auto& op) {
        form.name(op.tensor);
        form.word("on", op.stream);
        form.optional_time("for", op.duration);
    }
};
template <>
struct Grammar<op::Copy> {
    static constexpr std::string_view kVerb = "copy";
    static void fields(auto& form, auto& op) {
        form.choice(kCopyKinds, op.kind);
        form.size(op.size);
        form.word("on", op.stream);
        form.optional_word("from", op.from);
        form.optional_word("to", op.to);
        form.flag("blocking", op.blocking);
    }
};
template <>
struct Grammar<op::HostFunction> {
    static constexpr std::string_view kVerb = "host_function";
    static void fields(auto& form, auto& op) {
        form.word("on", op.stream);
        form.optional_time("for", op.duration);
    }
};
template <>
struct Grammar<op::HostWork> {
    static constexpr std::string_view kVerb = "host_work";
    static void fields(auto& form, auto& op) { form.time(op.duration); }
};
template <>
struct Grammar<op::SwitchThread> {
    static constexpr std::string_view kVerb = "switch_thread";
    static void fields(auto& form, auto& op) { form.name(op.thread); }
};
template <>
struct Grammar<op::RecordEvent> {
    static constexpr std::string_view kVerb = "record_event";
    static void fields(auto& form, auto& op) {
        form.name(op.event);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::WaitEvent> {
    static constexpr std::string_view kVerb = "wait_event";
    static void fields(auto& form, auto& op) {
        form.name(op.event);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::Synchronize> {
    static constexpr std::string_view kVerb = "synchronize";
    static void fields(auto& form, auto& op) { form.optional_word("on", op.stream); }
};
template <>
struct Grammar<op::SynchronizeEvent> {
    static constexpr std::string_view kVerb = "synchronize_event";
    static void fields(auto& form, auto& op) { form.name(op.event); }
};
template <>
struct Grammar<op::QueryEvent> {
    static constexpr std::string_view kVerb = "query_event";
    static void fields(auto& form, auto& op) { form.name(op.event); }
};
template <>
struct Grammar<op::MakePoolHandle> {
    static constexpr std::string_view kVerb = "make_pool_handle";
    static void fields(auto& form, auto& op) { form.name(op.pool); }
};
template <>
struct Grammar<op::BeginCapture> {
    static constexpr std::string_view kVerb = "begin_capture";
    static void fields(auto& form, auto& op) {
        form.name(op.graph);
        form.word("on", op.stream);
        form.optional_word("into", op.pool);
        form.optional_choice("mode", kCaptureModes, op.mode);
    }
};
template <>
struct Grammar<op::EndCapture> {
    static constexpr std::string_view kVerb = "end_capture";
    static void fields(auto& form, auto& op) {
        form.name(op.graph);
        form.optional_word("on", op.stream);
    }
};
template <>
struct Grammar<op::Replay> {
    static constexpr std::string_view kVerb = "replay";
    static void fields(auto& form, auto& op) {
        form.name(op.graph);
        form.word("on", op.stream);
    }
};
template <>
struct Grammar<op::DestroyGraph> {
    static constexpr std::string_view kVerb = "destroy_graph";
    static void fields(auto& form, auto& op) { form.name(op.graph); }
};
template <>
struct Grammar<op::CreatePool> {
    static constexpr std::string_view kVerb = "create_pool";
    static void fields(auto& form, auto& op) {
        form.name(op.pool);
        form.flag("use_on_oom", op.use_on_oom);
        form.flag("no_split", op.no_split);
    }
};
template <>
struct Grammar<op::DestroyPool> {
    static constexpr std::string_view kVerb = "destroy_pool";
    static void fields(auto& form, auto& op) { form.name(op.pool); }
};
template <>
struct Grammar<op::EnterPool> {
    static constexpr std::string_view kVerb = "enter_pool";
    static void fields(auto& form, auto& op) { form.name(op.pool); }
};
template <>
struct Grammar<op::LeavePool> {
    static constexpr std::string_view kVerb = "leave_pool";
    static void fields(auto& form, auto& op) { form.name(op.pool); }
};
template <>
struct Grammar<op::SavePool> {
    static constexpr std::string_view kVerb = "save_pool";
    static void fields(auto& form, auto& op) {
        form.name(op.pool);
        form.text(op.name);
    }
};
template <>
struct Grammar<op::RestorePool> {
    static constexpr std::string_view kVerb = "restore_pool";
    static void fields(auto& form, auto& op) { form.text(op.name); }
};
template <>
struct Grammar<op::AddDriverMemory> {
    static constexpr std::string_view kVerb = "add_driver_memory";
    static void fields(auto& form, auto& op) {
        form.text(op.name);
        form.remark(op.source);
        form.choice(kDriverUsers, op.user);
        form.size(op.size);
        form.optional_size("error", op.error);
        form.optional_word("on", op.stream);
    }
};
template <>
struct Grammar<op::RemoveDriverMemory> {
    static constexpr std::string_view kVerb = "remove_driver_memory";
    static void fields(auto& form, auto& op) { form.text(op.name); }
};
template <>
struct Grammar<op::MakeCommunicator> {
    static constexpr std::string_view kVerb = "make_communicator";
    static void fields(auto& form, auto& op) {
        form.text(op.name);
        form.remark(op.source);
        form.size(op.size);
        form.optional_size("first_use", op.first_use);
        form.optional_size("captured", op.captured);
        form.optional_size("error", op.error);
    }
};
template <>
struct Grammar<op::AllReduce> {
    static constexpr std::string_view kVerb = "all_reduce";
    static void fields(auto& form, auto& op) {
        form.name(op.tensor);
        form.text(op.communicator);
        form.word("on", op.stream);
        form.optional_time("for", op.duration);
        form.share("width", op.width);
    }
};
template <>
struct Grammar<op::EmptyCache> {
    static constexpr std::string_view kVerb = "empty_cache";
    static void fields(auto&, auto&) {}
};
template <>
struct Grammar<op::SetAllocatorSettings> {
    static constexpr std::string_view kVerb = "set_allocator_settings";
    static void fields(auto& form, auto& op) { form.text(op.conf); }
};
template <>
struct Grammar<op::ResetPeaks> {
    static constexpr std::string_view kVerb = "reset_peaks";
    static void fields(auto&, auto&) {}
};
template <>
struct Grammar<op::Try> {
    static constexpr std::string_view kVerb = "try";
    static void fields(auto& form, auto& op) { form.text(op.name); }
};
template <>
struct Grammar<op::EndTry> {
    static constexpr std::string_view kVerb = "end_try";
    static void fields(auto&, auto&) {}
};
template <>
struct Grammar<op::Checkpoint> {
    static constexpr std::string_view kVerb = "checkpoint";
    static void fields(auto& form, auto& op) { form.text(op.name); }
};
template <>
struct Grammar<op::HoldStream> {
    static constexpr std::string_view kVerb = "hold_stream";
    static void fields(auto& form, auto& op) { form.name(op.stream); }
};
template <>
struct Grammar<op::ReleaseStream> {
    static constexpr std::string_view kVerb = "release_stream";
    static void fields(auto& form, auto& op) { form.name(op.stream); }
};

}  // namespace highwater
