// Reading the source of a model, by its kind.
#include "core/assembly/modelRecipe.h"

namespace understory {
namespace {

using nlohmann::json;

std::uint16_t materialIn(FieldReader& source, const IntegerField& field, std::size_t materials) {
  return source.index<std::uint16_t>(field, materials, "materials");
}

MaterialIndices materialsIn(FieldReader& source, const Field& field, std::size_t materials) {
  const json& names = source.any(field);
  if (!names.is_object()) source.refuse(field.name, "indices of materials by name");
  MaterialIndices indices;
  for (const auto& [name, index] : names.items()) {
    if (!index.is_number_integer()) source.refuse(field.name, "indices of materials by name");
    indices[name] = static_cast<std::uint16_t>(
        source.checkedIndex(index.get<std::int64_t>(), materials, "materials", field.name));
  }
  return indices;
}

MeshSource parseMesh(FieldReader& source, std::size_t materials) {
  namespace at = fields::meshSource;
  MeshSource mesh;
  mesh.file = source.text(at::file);
  mesh.options.format = source.word(at::format);
  mesh.options.unitM = source.number(at::unitM);
  mesh.options.isYUp = source.word(at::upAxis) == UpAxis::y;
  mesh.options.material = materialIn(source, at::material, materials);
  mesh.options.materials = materialsIn(source, at::materials, materials);
  if (source.has(at::textures)) mesh.options.usesTextures = source.flag(at::textures);
  mesh.options.leafSizeM = source.number(at::leafSizeM, mesh.options.leafSizeM);
  if (source.has(at::leafAngles)) mesh.options.leafAngles = source.word(at::leafAngles);
  mesh.options.alphaThreshold = source.number(at::alphaThreshold, mesh.options.alphaThreshold);
  return mesh;
}

BoxSource parseBox(FieldReader& source, std::size_t materials) {
  namespace at = fields::boxSource;
  return {source.numbers<3>(at::sizeM), materialIn(source, at::material, materials)};
}

SphereSource parseSphere(FieldReader& source, std::size_t materials) {
  namespace at = fields::sphereSource;
  return {source.number(at::radiusM), source.integer<std::uint32_t>(at::rings),
          materialIn(source, at::material, materials)};
}

CylinderSource parseCylinder(FieldReader& source, std::size_t materials) {
  namespace at = fields::cylinderSource;
  return {source.number(at::radiusM), source.number(at::heightM),
          source.integer<std::uint32_t>(at::sides), source.flag(at::caps),
          materialIn(source, at::material, materials)};
}

PlaneSource parsePlane(FieldReader& source, std::size_t materials) {
  namespace at = fields::planeSource;
  return {source.numbers<2>(at::sizeM), source.integer<std::uint32_t>(at::divisions),
          materialIn(source, at::material, materials)};
}

RootStepSource parseRootStep(FieldReader& source, std::size_t materials) {
  namespace at = fields::rootStepSource;
  return {{source.numbers<2>(at::sizeM), source.number(at::heightM),
           source.integer<std::uint32_t>(at::roots), source.integer<std::uint64_t>(at::triangles),
           source.integer<std::uint64_t>(at::seed)},
          materialIn(source, at::material, materials),
          materialIn(source, at::barkMaterial, materials)};
}

PlantSource parsePlantSource(FieldReader& source, std::size_t materials) {
  namespace at = fields::plantSource;
  PlantSource plant;
  plant.plant = source.object(at::plant, parsePlant);
  plant.seed = source.integer<std::uint64_t>(at::seed);
  plant.materials = materialsIn(source, at::materials, materials);
  return plant;
}

HeightFieldSource parseHeightField(FieldReader& source, std::size_t materials) {
  namespace at = fields::heightFieldSource;
  return {source.integer<std::uint32_t>(at::columns), source.integer<std::uint32_t>(at::rows),
          source.numbers<2>(at::originM), source.numbers<2>(at::stepM),
          materialIn(source, at::material, materials)};
}

}  // namespace

ModelSource parseModelSource(FieldReader& source, const json& document, std::size_t materials) {
  switch (source.kind<ModelKind>(fields::boxSource::kind)) {
    case ModelKind::mesh:
      return {parseMesh(source, materials), document};
    case ModelKind::box:
      return {parseBox(source, materials), document};
    case ModelKind::sphere:
      return {parseSphere(source, materials), document};
    case ModelKind::cylinder:
      return {parseCylinder(source, materials), document};
    case ModelKind::plane:
      return {parsePlane(source, materials), document};
    case ModelKind::rootStep:
      return {parseRootStep(source, materials), document};
    case ModelKind::plant:
      return {parsePlantSource(source, materials), document};
    case ModelKind::heightField:
      return {parseHeightField(source, materials), document};
  }
  source.refuse(fields::boxSource::kind.name, "a kind of model");
}

}  // namespace understory
