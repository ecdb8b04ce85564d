// Fields of the header, both ways.
#include "core/learned/learnedHeader.h"

#include "core/fieldReader.h"
#include "core/scene/readers/fileText.h"

namespace understory {
namespace {

using nlohmann::json;

json sensorJson(const LearnedSensor& sensor) {
  json object{{"id", sensor.id}, {"minRangeM", sensor.minRangeM}, {"maxRangeM", sensor.maxRangeM}};
  if (sensor.detection) {
    object["detection"] = {{"reflectance", sensor.detection->reflectance},
                           {"rangeM", sensor.detection->rangeM},
                           {"probability", sensor.detection->probability},
                           {"falseAlarmsPerPulse", sensor.detection->falseAlarmsPerPulse}};
  }
  return object;
}

LearnedSensor::Detection parseDetection(FieldReader& value) {
  namespace at = fields::detection;
  return {value.number(at::reflectance), value.number(at::rangeM), value.number(at::probability),
          value.number(at::falseAlarmsPerPulse)};
}

LearnedSensor parseSensor(FieldReader& value) {
  namespace at = fields::learnedSensor;
  return {value.text(at::id), value.number(at::minRangeM), value.number(at::maxRangeM),
          value.optionalObject(at::detection, parseDetection)};
}

json parseParameters(FieldReader& value) {
  const json& parameters = value.any(fields::learnedHeader::parameters);
  bool isFlat = parameters.is_object();
  for (const json& item : parameters) {
    isFlat = isFlat && (item.is_number() || item.is_string() || item.is_boolean());
  }
  if (!isFlat) {
    value.refuse(fields::learnedHeader::parameters.name, "numbers, words and flags by name");
  }
  return parameters;
}

LearnedHeader parseHeader(FieldReader& value) {
  namespace at = fields::learnedHeader;
  LearnedHeader header;
  LearnedModel& model = header.model;
  header.version = value.integer<std::uint32_t>(at::version);
  model.kind = value.word(at::kind);
  header.elements = value.integer<std::size_t>(at::elements);
  header.surfaceVertices = value.integer<std::size_t>(at::surfaceVertices);
  header.points = value.integer<std::size_t>(at::points);
  const auto origin = value.numbers<3>(at::originM);
  model.originM = {origin[0], origin[1], origin[2]};
  if (value.has(at::crs)) model.crs = value.text(at::crs);
  model.counting = value.word(at::counting);
  model.mahalanobisLimit = value.number(at::mahalanobisLimit);
  model.surfaceSigmaM = value.number(at::surfaceSigmaM);
  model.incidenceSigmaM = value.number(at::incidenceSigmaM);
  model.pointRadiusM = value.number(at::pointRadiusM);
  model.sensor = value.optionalObject(at::sensor, parseSensor);
  model.reflectanceScale = value.text(at::reflectanceScale);
  model.classes = value.texts(at::classes);
  if (model.classes.empty()) value.refuse(at::classes.name, "at least one name");
  model.logHashes = value.texts(at::logHashes);
  model.seed = value.integer<std::uint64_t>(at::seed);
  model.engine = value.text(at::engine);
  model.parameters = parseParameters(value);
  const json minSigmaM = model.parameters.value("minSigmaM", json(model.minSigmaM));
  if (minSigmaM.is_number()) model.minSigmaM = minSigmaM.get<double>();
  return header;
}

}  // namespace

json learnedHeaderJson(const LearnedModel& model) {
  json header{{"version", 2},
              {"kind", wordOf(model.kind)},
              {"elements", model.elements.size()},
              {"surfaceVertices", model.surface.verticesM.size()},
              {"points", model.points.size()},
              {"originM", {model.originM.x, model.originM.y, model.originM.z}},
              {"counting", wordOf(model.counting)},
              {"mahalanobisLimit", model.mahalanobisLimit},
              {"surfaceSigmaM", model.surfaceSigmaM},
              {"incidenceSigmaM", model.incidenceSigmaM},
              {"pointRadiusM", model.pointRadiusM},
              {"reflectanceScale", model.reflectanceScale},
              {"classes", model.classes},
              {"logHashes", model.logHashes},
              {"seed", model.seed},
              {"engine", model.engine},
              {"parameters", model.parameters}};
  if (!model.crs.empty()) header["crs"] = model.crs;
  if (model.sensor) header["sensor"] = sensorJson(*model.sensor);
  return header;
}

LearnedHeader parseLearnedHeader(const json& header) {
  return readObject(header, "learned model", parseHeader);
}

json headerJsonIn(std::string_view text, const std::string& file) {
  constexpr std::string_view partMark = "comment json ";
  bool isTitled = false;
  std::string parts;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view content = text.substr(at, end - at);
    if (content == "end_header") break;
    if (content.starts_with("comment ") && content.substr(8) == learnedTitle) isTitled = true;
    if (content.starts_with(partMark)) parts += content.substr(partMark.size());
    at = end + 1;
  }
  if (!isTitled) {
    throw badLine(file, line, "the comment '" + std::string(learnedTitle) + "' in the header");
  }
  json header = json::parse(parts, nullptr, false);
  if (header.is_discarded()) {
    throw badLine(file, line, "JSON in the comments 'json' of the header");
  }
  return header;
}

}  // namespace understory
