#include "sim/snapshot/request_list.hpp"

#include <vector>

#include "tests/support/catch.hpp"

namespace highwater {
namespace {

std::vector<Request> different_requests() {
    Request plain;
    plain.kind = Request::Kind::kAlloc;
    plain.allocation = AllocationId{7};
    plain.size = Bytes{1000};
    plain.stream = StreamHandle{0x7F0000001000};
    plain.region = RegionId{3};
    plain.first = 10;
    plain.end = 12;
    std::vector<Request> all(9, plain);
    all[1].kind = Request::Kind::kFree;
    all[2].waits = true;
    all[3].is_restored = true;
    all[4].is_inferred = true;
    all[5].allocation = kNoAllocation;
    all[6].size = Bytes{std::uint64_t{1} << 40U};
    all[7].region = kNoRegion;
    all[8].end = plain.first;
    return all;
}

TEST_CASE("requests come out of a list as they went in", "[requests]") {
    const std::vector<Request> all = different_requests();
    RequestList list;
    for (const Request& request : all) {
        list.push_back(request);
    }
    CHECK(std::vector<Request>(list.begin(), list.end()) == all);
    CHECK(list.at(8) == all[8]);
}

}  // namespace
}  // namespace highwater
