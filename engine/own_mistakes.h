// What the program says of its own mistakes.
#pragma once

namespace engine {

// From now on a failed assertion, and whatever else would end the program by abort(), ends it with exit code 1 after a
// line that says that the program is to blame. What failed stands in the line before it. To be called when MPI has been
// started, which has handlers of its own.
void answer_for_own_mistakes();

}  // namespace engine
