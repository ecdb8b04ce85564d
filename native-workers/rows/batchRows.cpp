// Rows in the order of their pulses: the returns of each, or its miss.
#include "rows/batchRows.h"

#include <algorithm>

namespace understory {

std::size_t findRows(const RowContext& context, std::uint64_t batch, const TracedBatch& traced,
                     SlotRange range, bool withMisses, std::vector<Row>& rows,
                     std::vector<std::uint32_t>& rowEnd) {
  std::size_t maxRows = traced.falseAlarms.size();
  for (std::size_t pulse = traced.firstPulse[range.from]; pulse < traced.firstPulse[range.to];
       ++pulse) {
    maxRows += std::max<std::size_t>(1, traced.returnCounts[pulse]);
  }
  if (rows.size() < maxRows) rows.resize(maxRows);
  std::size_t count = 0;
  std::size_t alarm = 0;
  rowEnd.clear();
  const std::uint64_t firstSlot = batch * slotsPerBatch;
  const std::uint64_t firstPulse = firstPulseOfSlot(context.numbering, firstSlot);
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const std::uint32_t bankIndex = bankOfSlot(context.sensor, firstSlot + slot);
    const LaserBank& bank = context.sensor.banks[bankIndex];
    for (std::size_t laser = 0; laser < bank.rings.size(); ++laser) {
      const std::size_t pulse = traced.firstPulse[slot] + laser;
      const std::uint8_t returns = traced.returnCounts[pulse];
      const std::size_t firstAlarm = alarm;
      while (alarm < traced.falseAlarms.size() && traced.falseAlarms[alarm].pulse == pulse) ++alarm;
      // A row counts in eight bits.
      const auto rowsOfPulse =
          static_cast<std::uint8_t>(std::min<std::size_t>(255, returns + alarm - firstAlarm));
      const PulseFrame* aim = traced.aims.empty() ? nullptr : &traced.aims[pulse];
      // Why field by field, in the array: copying a row that was just written stalls on its stores.
      const auto add = [&](const TracedReturn* echo, const EchoShape* shape,
                           std::uint8_t returnNo) {
        Row& row = rows[count++];
        row.slot = aim == nullptr ? &traced.slots[slot] : &aim->frame;
        row.echo = echo;
        row.shape = shape;
        row.laser = aim == nullptr ? &angleIn(*row.slot, context.beam.lasers[bankIndex][laser])
                                   : &aim->angle;
        row.pulse = firstPulse + pulse;
        row.support = traced.storesSupport ? traced.support[pulse] : 0U;
        row.ring = bank.rings[laser];
        row.returnNo = returnNo;
        row.returnCount = rowsOfPulse;
      };
      if (rowsOfPulse == 0 && withMisses) add(nullptr, nullptr, 0);
      for (std::uint8_t echo = 0; echo < returns; ++echo) {
        const std::size_t index = pulse * traced.maxReturns + echo;
        add(&traced.returns[index], traced.storesShapes ? &traced.shapes[index] : nullptr,
            static_cast<std::uint8_t>(echo + 1));
      }
      for (std::uint8_t echo = returns; echo < rowsOfPulse; ++echo) {
        add(&traced.falseAlarms[firstAlarm + echo - returns].made, nullptr,
            static_cast<std::uint8_t>(echo + 1));
      }
      rowEnd.push_back(static_cast<std::uint32_t>(count));
    }
  }
  return count;
}

}  // namespace understory
