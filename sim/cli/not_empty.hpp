#pragma once

#include <functional>
#include <string>

namespace highwater {

inline constexpr const char* kDeviceRemedy = "give a device's number, from 0";

/// A check of an option's value: CLI11 takes an empty one for none.
inline std::function<std::string(const std::string&)> not_empty(const char* remedy) {
    return [remedy](const std::string& given) {
        return given.empty() ? std::string("it is empty: ") + remedy : std::string();
    };
}

}  // namespace highwater
