#include "sim/scenario/load_scenario.hpp"

#include <filesystem>
#include <fstream>

#include "sim/scenario/check_calls.hpp"
#include "sim/scenario/check_names.hpp"
#include "sim/scenario/parse_parts.hpp"
#include "sim/scenario/source_text.hpp"
#include "sim/scenario/yaml_document.hpp"

namespace highwater {
namespace {

const std::vector<std::string>& sections() {
    static const std::vector<std::string> kSections{"extends",
                                                    "scenario",
                                                    "description",
                                                    "device",
                                                    "allocator",
                                                    "parameters",
                                                    "streams",
                                                    "procedures",
                                                    "steps",
                                                    "measures"};
    return kSections;
}

// A section that is left out, or left blank, is an empty one.
template <typename Part>
void read_section(const YamlReader& file,
                  std::string_view key,
                  Part (*read)(const YamlReader&),
                  Part& part) {
    const std::optional<YamlReader> found = file.find(key);
    if (found && !found->is_null()) {
        part = read(*found);
    }
}

Scenario read_sections(const YamlReader& file) {
    file.require_keys("a scenario", sections());
    Scenario made;
    made.name = file.require("scenario", "the file").scalar("the scenario's name").text;
    if (const auto description = file.find("description")) {
        made.description = description->scalar("a text").text;
    }
    made.machine = parse::machine(file);
    read_section(file, "parameters", parse::parameters, made.parameters);
    read_section(file, "streams", parse::streams, made.streams);
    read_section(file, "procedures", parse::procedures, made.procedures);
    made.steps = parse::steps(file.require("steps", "the scenario"));
    read_section(file, "measures", parse::measures, made.measures);
    return made;
}

}  // namespace

Scenario load_scenario(std::string_view text,
                       const std::string& file,
                       const FileReader& read_file) {
    SourceFiles sources;
    const YamlDocument document = read_document(text, file, read_file, sources);
    Scenario made = naming_chains(sources, [&] {
        Scenario read = read_sections(YamlReader(document, document.root));
        check_calls(read);
        check_names(read);
        return read;
    });
    made.file = file;
    made.sources = std::move(sources);
    return made;
}

std::string read_scenario_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream || std::filesystem::is_directory(path)) {
        throw InputError({path}, "the file cannot be read", "name a scenario file that exists");
    }
    // One byte too many is enough to know that the file is too long.
    std::string text(kMaxFileBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

}  // namespace highwater
