#include "sim/scenario/text/form.hpp"

#include <iterator>
#include <utility>

namespace highwater {

std::vector<std::string> names_of(const std::vector<KeyForm>& keys) {
    std::vector<std::string> names;
    for (const KeyForm& key : keys) {
        names.emplace_back(key.name);
    }
    return names;
}

std::vector<KeyForm> together(std::vector<std::vector<KeyForm>> groups) {
    std::vector<KeyForm> all;
    for (std::vector<KeyForm>& group : groups) {
        std::move(group.begin(), group.end(), std::back_inserter(all));
    }
    return all;
}

namespace form {
namespace {

Form of(Form::Kind kind, std::vector<Form> parts = {}) {
    return {kind, {}, std::move(parts), {}};
}

}  // namespace

Form nothing() {
    return of(Form::Kind::kNothing);
}

Form expression() {
    return of(Form::Kind::kExpression);
}

Form text() {
    return of(Form::Kind::kText);
}

Form flag() {
    return of(Form::Kind::kFlag);
}

Form name() {
    return of(Form::Kind::kName);
}

Form reference() {
    return of(Form::Kind::kReference);
}

Form steps() {
    return of(Form::Kind::kSteps);
}

Form words(std::vector<std::string_view> words) {
    return {Form::Kind::kWords, std::move(words), {}, {}};
}

Form map(const MapForm& keys) {
    return {Form::Kind::kMap, {}, {}, keys.keys};
}

Form open_map(const MapForm& keys, Form others) {
    return {Form::Kind::kMap, {}, {std::move(others)}, keys.keys};
}

Form map_of(Form value) {
    return of(Form::Kind::kMapOf, {std::move(value)});
}

Form list_of(Form item) {
    return of(Form::Kind::kListOf, {std::move(item)});
}

Form any_of(std::vector<Form> parts) {
    return of(Form::Kind::kAnyOf, std::move(parts));
}

Form some(Form item) {
    Form list = list_of(item);
    return any_of({std::move(item), std::move(list)});
}

}  // namespace form

}  // namespace highwater
