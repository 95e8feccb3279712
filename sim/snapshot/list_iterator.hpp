#pragma once

#include <cstddef>
#include <iterator>

namespace highwater {

/// Walks over a list that gives its elements as values.
template <typename List, typename Element>
class ListIterator {
  public:
    // NOLINTNEXTLINE(readability-identifier-naming): the library's own name.
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using reference = Element;
    using pointer = void;

    ListIterator() = default;
    ListIterator(const List& list, std::size_t at) : list_(&list), at_(at) {}

    Element operator*() const { return (*list_)[at_]; }
    ListIterator& operator++() {
        ++at_;
        return *this;
    }
    ListIterator operator++(int) {
        const ListIterator before = *this;
        ++at_;
        return before;
    }
    friend bool operator==(const ListIterator&, const ListIterator&) = default;

  private:
    const List* list_ = nullptr;
    std::size_t at_ = 0;
};

}  // namespace highwater
