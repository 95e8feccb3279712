#pragma once

#include <vector>

#include "sim/scenario/text/form.hpp"

/// The keys of the language, for the parser and for the JSON Schema: whatever may stand in a
/// scenario file is here, and nowhere else.
namespace highwater::language {

/// The file's sections.
const MapForm& scenario();

// What the sections are made of.
const MapForm& device();
const MapForm& allocator();
const MapForm& parameter();
const MapForm& stream();
const MapForm& buckets();
const MapForm& workspace();
const MapForm& procedure();
const MapForm& template_form();
const MapForm& expectation();
const MapForm& tolerances();

// The arguments of steps that are maps.
const MapForm& kernel();
const MapForm& memset();
const MapForm& copy();
const MapForm& host_function();
const MapForm& wait();
const MapForm& event();
const MapForm& tensor();
const MapForm& graph();
const MapForm& mem_pool();
const MapForm& use_mem_pool();
const MapForm& save_pool();
const MapForm& driver_memory();
const MapForm& communicator();
const MapForm& collective();
const MapForm& capture();
const MapForm& branch();

// Operations, and uses of templates, under names that the file chooses.
const MapForm& operation();
const MapForm& template_use();

// Phases.
const MapForm& load_weights();
const MapForm& forward();
const MapForm& capture_buckets();
const MapForm& replay_buckets();
const MapForm& destroy_graphs();
const MapForm& serve();
const MapForm& kv_cache();
const MapForm& output();
const MapForm& pool_of();

/// Every step: its name, and what stands after it.
const std::vector<KeyForm>& steps();
/// What may stand beside a step's name in the same map.
const std::vector<KeyForm>& companions();
/// The steps that may be written as their names alone.
const std::vector<std::string_view>& bare_steps();

}  // namespace highwater::language
