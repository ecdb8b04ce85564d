// The scan.signal method: three tables side by side.
#include "scanWorker/signalHandler.h"

#include <string>

#include "core/error.h"
#include "core/fieldReader.h"
#include "jobs/explainPulse.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

std::uint32_t indexOf(std::size_t hit) { return static_cast<std::uint32_t>(hit); }

// Storage that the columns of the reply view.
struct SignalTables {
  SignalHitRows hits;
  SignalEchoRows echoes;
  FormedReturnRows formed;
};

SignalTables tablesOf(const ExplainedPulse& pulse) {
  SignalTables tables;
  for (const SignalHit& hit : pulse.signal.hits) tables.hits.signalRay.push_back(hit.ray);
  tables.hits.signalHitNo = pulse.hitNo;
  for (const auto& [echo, isDetected] : pulse.signal.echoes) {
    SignalEchoRows& rows = tables.echoes;
    rows.echoRangeM.push_back(echo.rangeM);
    rows.echoStrength.push_back(echo.strength);
    rows.echoFromHit.push_back(indexOf(echo.hits.from));
    rows.echoToHit.push_back(indexOf(echo.hits.to));
    rows.echoIsDetected.push_back(static_cast<std::uint8_t>(isDetected));
  }
  for (const auto& [mode, echo, formed] : pulse.signal.returns) {
    FormedReturnRows& rows = tables.formed;
    rows.formedMode.push_back(static_cast<std::uint8_t>(mode));
    rows.formedRangeM.push_back(formed.rangeM);
    rows.formedBeamShare.push_back(formed.beamShare);
    rows.formedDecidingHit.push_back(formed.decidingHit);
    rows.formedEcho.push_back(echo);
    rows.formedAveragedFromHit.push_back(indexOf(formed.averaged.from));
    rows.formedAveragedToHit.push_back(indexOf(formed.averaged.to));
    rows.formedSharedFromHit.push_back(indexOf(formed.shared.from));
    rows.formedSharedToHit.push_back(indexOf(formed.shared.to));
  }
  return tables;
}

}  // namespace

Message handleSignal(const TracedScene& scene, const Frame& request, Call& call) {
  std::uint64_t number = 0;
  const PulseJob job = readObject(request.header.at("body"), "request", [&](FieldReader& body) {
    number = body.integer<std::uint64_t>(fields::signalRequest::pulse);
    return parsePulseJob(body, request);
  });
  const auto pulse = explainPulse(scene, job, number, watchOf(call));
  if (!pulse) {
    throw UnderstoryError(ErrorCode::notFound,
                          "the sensor fires no pulse " + std::to_string(number) + " then");
  }
  const auto tables = std::make_shared<const SignalTables>(tablesOf(*pulse));
  Message reply;
  reply.body = {{"seenHits", pulse->signal.seenHits}, {"lostHits", pulse->signal.lostHits}};
  reply.storage = tables;
  const auto add = [&](auto column, const auto& values) {
    reply.columns.push_back(viewOf(column, values));
  };
  forEachColumnOfSignalHitRows(add, tables->hits);
  forEachColumnOfSignalEchoRows(add, tables->echoes);
  forEachColumnOfFormedReturnRows(add, tables->formed);
  return reply;
}

}  // namespace understory
