#include <string>
#include <vector>

#include "gpu/backend_module.hpp"
#include "gpu/run_command.hpp"

int main(int argc, char* argv[]) {
    return highwater::gpu::run_gpu_command_line(
        std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc),
        highwater::gpu::open_backend,
        highwater::gpu::open_probes);
}
