#include "sim/capture/node_kind.hpp"

#include "sim/core/check.hpp"

namespace highwater {

std::string_view name_of(NodeKind kind) {
    switch (kind) {
        case NodeKind::kKernel:
            return "kernel";
        case NodeKind::kMemcpy:
            return "memcpy";
        case NodeKind::kMemset:
            return "memset";
        case NodeKind::kHost:
            return "host";
        case NodeKind::kEmpty:
            return "empty";
        case NodeKind::kMemAlloc:
            return "mem_alloc";
        case NodeKind::kMemFree:
            return "mem_free";
    }
    invariant_broken("every kind of node has a name", std::source_location::current());
}

}  // namespace highwater
