// The `packed` part of a scan request.
#pragma once

#include <string>

#include "core/packing/rowTemplate.h"
#include "protocol/frame.h"

namespace understory {

// The return column of that name; throws UnderstoryError 'bad-input' where there is none.
ReturnColumn columnOfName(const std::string& name);

// The template in the body's `packed`, with the columns packed_before and packed_after (u8). What makes no
// sense as JSON throws nlohmann's exceptions; the rest is checked when it is packed (checkTemplate).
RowTemplate parseRowTemplate(const Frame& request);

}  // namespace understory
