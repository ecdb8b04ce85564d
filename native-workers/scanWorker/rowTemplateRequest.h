// The `packed` part of a scan request.
#pragma once

#include "core/fieldReader.h"
#include "core/packing/rowTemplate.h"
#include "protocol/frame.h"

namespace understory {

// The template in the body's `packed`, with the columns packed_before and packed_after (u8) of the request.
// Parts that do not fit together are refused when it is packed (checkTemplate).
RowTemplate parseRowTemplate(FieldReader& packed, const Frame& request);

}  // namespace understory
