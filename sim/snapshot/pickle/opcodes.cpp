#include "sim/snapshot/pickle/opcodes.hpp"

#include <array>
#include <utility>

namespace highwater::pickle {

std::string_view name_of_refused(Op op) {
    constexpr std::array kNames = std::to_array<std::pair<Op, std::string_view>>({
        {Op::kPersId, "PERSID"},
        {Op::kBinPersId, "BINPERSID"},
        {Op::kReduce, "REDUCE"},
        {Op::kBuild, "BUILD"},
        {Op::kGlobal, "GLOBAL"},
        {Op::kInst, "INST"},
        {Op::kObj, "OBJ"},
        {Op::kNewObj, "NEWOBJ"},
        {Op::kExt1, "EXT1"},
        {Op::kExt2, "EXT2"},
        {Op::kExt4, "EXT4"},
        {Op::kNewObjEx, "NEWOBJ_EX"},
        {Op::kStackGlobal, "STACK_GLOBAL"},
        {Op::kEmptySet, "EMPTY_SET"},
        {Op::kAddItems, "ADDITEMS"},
        {Op::kFrozenSet, "FROZENSET"},
        {Op::kNextBuffer, "NEXT_BUFFER"},
        {Op::kReadOnlyBuffer, "READONLY_BUFFER"},
    });
    for (const auto& [known, name] : kNames) {
        if (known == op) {
            return name;
        }
    }
    return {};
}

}  // namespace highwater::pickle
