#include "sim/cli/plan_answer.hpp"

namespace highwater {

void write_answer(const PlanAnswer& answer, const PlanFiles& paths, OutputFiles files) {
    if (!paths.json.empty()) {
        files.add("--json", paths.json, answer.json.dump(1) + '\n');
    }
    if (!paths.csv.empty()) {
        files.add("--csv", paths.csv, answer.csv);
    }
    files.write();
    if (!files.uses_standard_output()) {
        print(answer.text);
    }
}

}  // namespace highwater
