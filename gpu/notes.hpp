#pragma once

#include <string>

namespace highwater::gpu {

/// What the processes of a run tell each other, as files of a folder that is theirs alone.

/// Leaves a note for the others, whole or not at all. Throws `NoMeasurement`.
void leave_note(const std::string& folder, const std::string& name, const std::string& text);

/// The note, once it is there. Whoever started the processes ends those that wait in vain.
std::string wait_for_note(const std::string& folder, const std::string& name);

/// A new folder, which only its user may look into, gone with its owner.
class NoteFolder {
  public:
    /// Throws `NoMeasurement` where none can be made.
    NoteFolder();
    ~NoteFolder();
    NoteFolder(const NoteFolder&) = delete;
    NoteFolder& operator=(const NoteFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace highwater::gpu
