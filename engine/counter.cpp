#include "engine/counter.h"

#include "engine/series.h"

namespace engine {

void CounterList::serialize(Archive& archive) {
    for (std::uint64_t* value : values_) archive(*value);
    for (Series* series : series_) archive(*series);
}

}  // namespace engine
