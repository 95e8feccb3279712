#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/description/template.hpp"
#include "sim/scenario/lower/position.hpp"

namespace highwater {

/// The libraries' workspaces: each is allocated when a call first needs it on a stream, wherever
/// that is, in a capture too.
class Workspaces {
  public:
    Workspaces(const std::vector<Workspace>& forms, Position& position, ProgramBuilder& builder);

    /// Allocates what these uses still lack on the current stream. Gives back the references to
    /// those that go after the call.
    std::vector<TensorId> provide(const std::vector<PlacedText>& uses);

    /// All that there were, by their first use.
    const std::vector<TensorId>& allocated() const { return allocated_; }

  private:
    TensorId new_workspace(const Workspace& form, const std::string& name);

    Position& position_;
    ProgramBuilder& builder_;
    std::map<std::string, const Workspace*> forms_;
    std::map<std::pair<const Workspace*, StreamId>, TensorId> there_;
    std::vector<TensorId> allocated_;
};

}  // namespace highwater
