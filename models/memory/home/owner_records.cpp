#include "models/memory/home/owner_records.h"

#include <array>
#include <cstddef>

namespace models {

namespace {

Records no_owners() {
    return {"bucket_owners",
            "owners of buckets of the affinity table at the end of epochs, before they are found anew; of tables of "
            "cores, what each claims then",
            {{"epoch", "1", "of the frame, from 0"},
             {"cycle", "cycle", "GPU cycle, from the beginning of the workload, in which it ended"},
             {"bucket", "1", "number of the bucket"},
             {"owner", "1", "core that owns it"},
             {"accesses", "1", "counter of the owner"}}};
}

}  // namespace

Records owner_records(const std::vector<std::uint64_t>& noted, std::uint32_t buckets) {
    Records records = no_owners();
    const std::size_t length = 1 + 2 * std::size_t{buckets};
    for (std::size_t epoch = 0; epoch < noted.size() / length; ++epoch)
        for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
            const std::uint64_t* const row = &noted[epoch * length];
            const std::uint64_t owner = row[1 + 2 * bucket];
            records.append(std::array{std::uint64_t{epoch}, row[0], std::uint64_t{bucket},
                                      owner == 0 ? Records::missing : owner - 1, row[2 + 2 * bucket]});
        }
    return records;
}

Records claim_records(const std::vector<std::vector<std::uint64_t>>& noted, std::uint64_t first) {
    Records records = no_owners();
    constexpr std::size_t length = 4;
    for (std::size_t core = 0; core < noted.size(); ++core)
        for (std::size_t i = 0; i + length <= noted[core].size(); i += length) {
            const std::uint64_t* const row = &noted[core][i];
            records.append(std::array{row[0] - first, row[1], row[2], std::uint64_t{core}, row[3]});
        }
    return records;
}

}  // namespace models
