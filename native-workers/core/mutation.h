// Mutants: deliberate errors that show that checks of `npm run validate` and of the tests fail when they must. They
// exist in the binary scanWorkerMutants alone (UNDERSTORY_MUTANTS, chosen by UNDERSTORY_TEST=mutation=NAME). In the
// released worker activeMutation() is a constant, and the compiler removes what depends on it.
#pragma once

#include <string_view>

#include "contract/contract.h"

namespace understory {

#ifdef UNDERSTORY_MUTANTS
// The active one: set once, before the first scan, read where it applies.
Mutation activeMutation();
// By its name in src-main/contract/worker/mutations.ts, as on the switch; 'none' ends it. Throws UnderstoryError
// 'bad-input'.
void setMutation(std::string_view name);
#else
constexpr Mutation activeMutation() { return Mutation::none; }
#endif

}  // namespace understory
