#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/scenario/description/scenario.hpp"
#include "sim/scenario/expression/formula.hpp"
#include "sim/scenario/text/source_files.hpp"
#include "sim/scenario/text/yaml_reader.hpp"

/// The parts of a scenario file, one function each: YAML in, typed form out. All throw
/// `InputError`.
namespace highwater::parse {

/// `read_file` gives the cost profile's file, which is added to the sources.
MachineForm machine(const YamlReader& scenario, const FileReader& read_file, SourceFiles& sources);
std::vector<Parameter> parameters(const YamlReader& map);
std::vector<StreamGroup> streams(const YamlReader& map);
std::vector<Procedure> procedures(const YamlReader& map);
std::vector<MeasureFormula> measures(const YamlReader& map);
std::vector<Expectation> expectations(const YamlReader& list);
StatedTolerances tolerances(const YamlReader& map);
std::vector<SweepAxis> sweep(const YamlReader& section);
StepList steps(const YamlReader& list);
std::vector<Template> templates(const YamlReader& map);
Template template_form(const PlacedText& name, const YamlReader& value);
std::vector<Workspace> workspaces(const YamlReader& map);
std::vector<BucketSet> buckets(const YamlReader& map);
BucketSpec bucket_spec(const YamlReader& value);

/// `what` says in messages what stands here: "a size".
Formula formula(const YamlReader& value, std::string_view what);
std::optional<Formula> optional_formula(const YamlReader& map,
                                        std::string_view key,
                                        std::string_view what);
/// A name with or without indices.
Formula reference(const YamlReader& value, std::string_view what);
/// A tensor by a name that is known, or that this step gives.
TensorName tensor_name(const YamlReader& value);
TensorName made_tensor(const PlacedText& name);
/// One name, or a list of them.
std::vector<TensorName> tensor_names(const YamlReader& value);
/// A tensor and its size.
Allocation allocation(const YamlReader::Entry& entry);
/// The keys of a kernel's time, of a map that may have others.
KernelCost kernel_cost(const YamlReader& map);
/// What stands under `with`.
Arguments arguments(const YamlReader& map);
/// A list of names that the file gives.
std::vector<PlacedText> names(const YamlReader& list, std::string_view what);
/// Letters, digits and `_`, without indices.
bool is_plain_name(const std::string& text);
/// One of the words.
std::string choice_of(const YamlReader& value, const std::vector<std::string>& words);

/// A name that the file gives to something. Letters, digits and `_`; not a word of the language.
PlacedText new_name(const PlacedText& name, std::string_view what);

/// A number, a size with its unit, true or false; anything else is a text as it stands.
Value literal(const PlacedText& text);

/// The text of PYTORCH_CUDA_ALLOC_CONF, not checked yet.
PlacedText conf(const YamlReader& value);

}  // namespace highwater::parse
