#pragma once

#include <cstdint>
#include <string_view>

namespace highwater::pickle {

/// The opcodes of pickle protocols 0 to 5, by the names of Python's `pickletools`.
enum class Op : std::uint8_t {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    kFloat = 'F',
    kInt = 'I',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kLong = 'L',
    kBinInt2 = 'M',
    kNone = 'N',
    kString = 'S',
    kBinString = 'T',
    kShortBinString = 'U',
    kUnicode = 'V',
    kBinUnicode = 'X',
    kAppend = 'a',
    kDict = 'd',
    kEmptyDict = '}',
    kAppends = 'e',
    kGet = 'g',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kList = 'l',
    kEmptyList = ']',
    kPut = 'p',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kSetItem = 's',
    kTuple = 't',
    kEmptyTuple = ')',
    kSetItems = 'u',
    kBinFloat = 'G',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kProto = 0x80,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kMemoize = 0x94,
    kFrame = 0x95,
    kByteArray8 = 0x96,
    // Refused: they make objects, or say what code is to be run.
    kPersId = 'P',
    kBinPersId = 'Q',
    kReduce = 'R',
    kBuild = 'b',
    kGlobal = 'c',
    kInst = 'i',
    kObj = 'o',
    kNewObj = 0x81,
    kExt1 = 0x82,
    kExt2 = 0x83,
    kExt4 = 0x84,
    kNewObjEx = 0x92,
    kStackGlobal = 0x93,
    // Refused: no snapshot has them.
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kNextBuffer = 0x97,
    kReadOnlyBuffer = 0x98,
};

/// Of the opcodes that are refused; empty for others.
std::string_view name_of_refused(Op op);

}  // namespace highwater::pickle
