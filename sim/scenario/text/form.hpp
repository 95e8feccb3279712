#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater {

struct KeyForm;

/// What may stand at a place of a scenario file: the parser's keys, and the JSON Schema.
struct Form {
    enum class Kind {
        kNothing,     // an empty value
        kExpression,  // a number, a condition, a size; often computed
        kText,        // as it stands
        kFlag,        // true or false
        kName,        // a name that the file gives, or has given, without indices
        kReference,   // a name, perhaps with indices
        kWords,       // one of `words`
        kMap,         // `keys`, and no others unless `parts.front()` is their form
        kMapOf,       // any keys, each with a value of `parts.front()`
        kListOf,      // items of `parts.front()`
        kAnyOf,       // one of `parts`
        kSteps,       // a list of steps
    };

    Kind kind = Kind::kExpression;
    std::vector<std::string_view> words;
    std::vector<Form> parts;
    std::vector<KeyForm> keys;
};

struct KeyForm {
    std::string_view name;
    Form form;
    /// A sentence for whoever writes the key.
    std::string_view says;
};

/// A map with known keys. `what` names it in messages: "a capture".
struct MapForm {
    std::string_view what;
    std::vector<KeyForm> keys;
};

std::vector<std::string> names_of(const std::vector<KeyForm>& keys);

/// Several groups of keys in one map.
std::vector<KeyForm> together(std::vector<std::vector<KeyForm>> groups);

namespace form {

Form nothing();
Form expression();
Form text();
Form flag();
Form name();
Form reference();
Form steps();
Form words(std::vector<std::string_view> words);
Form map(const MapForm& keys);
/// Other keys are names that the file gives.
Form open_map(const MapForm& keys, Form others);
Form map_of(Form value);
Form list_of(Form item);
Form any_of(std::vector<Form> parts);
/// One, or a list of them.
Form some(Form item);

}  // namespace form

}  // namespace highwater
