// The contract as the C++ header contract/contract.h: what both languages know. The native build writes it, and beside it
// the structs of recipes (recipeFiles.ts).
import type { z } from 'zod';
import { columnTypes, rayColumns, returnColumns, typesOf } from '../columns.ts';
import type { ColumnType, ColumnTypes } from '../columns.ts';
import { errorCodes } from '../errors.ts';
import { beamLabels, beamStates, logChunkColumns, logColumns } from '../log/log.ts';
import * as frame from '../wire/frame.ts';
import { frameKinds } from '../wire/frameHeader.ts';
import { visibilityLaws } from '../documents/optics.ts';
import {
  crownShapes,
  leafAngleNames,
  plantObjects,
  plantParts,
  plantSchema,
} from '../documents/plant.ts';
import { evaluateObjects, evaluationColumns } from '../worker/evaluate.ts';
import { learnObjects } from '../worker/learn.ts';
import {
  learnedViewObjects,
  viewChunkRows,
  viewColumns,
  viewParts,
} from '../worker/learnedViews.ts';
import { groundColumns } from '../worker/learnedGround.ts';
import { countingRules, learnedKinds, learnedObjects } from '../worker/learnedModel.ts';
import * as recipe from '../worker/recipe.ts';
import { airKinds } from '../worker/weatherRecipe.ts';
import { mutationNames } from '../worker/mutations.ts';
import * as signal from '../worker/pulseSignal.ts';
import {
  frameUses,
  maxStoredFrames,
  maxRowBytes,
  minStoredBytes,
  packingObjects,
  packings,
} from '../worker/rowTemplate.ts';
import {
  describeObjects,
  descriptionColumns,
  maxDescribedRays,
} from '../worker/sensorDescription.ts';
import { motionColumns, motionStepNs, motionWindowNs } from '../worker/motions.ts';
import { mapColumns, mapGroundColumns, mapObjects } from '../worker/tickMap.ts';
import { puffColumns, puffLastsNs } from '../worker/weatherRecipe.ts';
import { farMeshAllowanceM, maxFromOriginM } from '../worldOrigin.ts';
import { scatterPatterns } from '../documents/scatter.ts';
import * as beam from '../documents/sensorBeam.ts';
import { returnModes } from '../documents/sensorReturns.ts';
import { scanRecipeSchema } from '../documents/scan/scanRecipe.ts';
import { turnDirections } from '../documents/scan/scanPattern.ts';
import * as truth from '../worker/truth.ts';
import * as worker from '../worker/worker.ts';
import { voxelArrays } from '../worker/voxelArrays.ts';
import { voxelBeamsColumns, voxelBeamsObjects } from '../worker/voxelBeams.ts';
import { benchObjects } from '../worker/workerBench.ts';
import {
  requestColumnsOf,
  type WorkerMethodName,
  workerMethodNames,
} from '../worker/workerMethods.ts';
import { camel, fieldsOf, literals, type Enumerations } from './fields.ts';
import { recipeFiles } from './recipeFiles.ts';
import { recipeSources } from './recipeSources.ts';

/** Enumerations by their C++ name; enumerators are the words in camelCase. */
const enumerations: Enumerations = {
  ErrorCode: errorCodes,
  FrameKind: frameKinds,
  ColumnType: Object.keys(columnTypes),
  ReturnColumn: Object.keys(returnColumns),
  Isa: worker.isas,
  ModelKind: literals(recipe.modelSourceSchema, 'kind'),
  MeshFormat: recipe.meshFormats,
  UpAxis: recipe.upAxes,
  Solid: recipe.solids,
  ScatterPattern: scatterPatterns,
  SurfaceKind: literals(recipe.surfaceRecipeSchema, 'kind'),
  VisibilityLaw: visibilityLaws,
  AirKind: airKinds,
  PlantPart: plantParts,
  PlantGenerator: literals(plantSchema, 'generator'),
  CrownShape: crownShapes,
  LeafAngleLaw: leafAngleNames,
  ScanKind: literals(scanRecipeSchema, 'kind'),
  TurnDirection: turnDirections,
  SpotShape: beam.spotShapes,
  StencilKind: beam.stencilKinds,
  NamedProfile: beam.beamProfiles,
  RaySampling: beam.raySamplings,
  Radiometry: beam.radiometries,
  ReturnMode: returnModes,
  LearnedKind: learnedKinds,
  CountingRule: countingRules,
  ViewPart: viewParts,
  Packing: packings,
  FrameUse: frameUses,
  BeamState: Object.keys(beamStates),
  BeamLabel: Object.keys(beamLabels),
  // 'none' first: the released worker has no other.
  Mutation: ['none', ...mutationNames],
};

const bounds: Record<string, number> = {
  frameMagic: frame.frameMagic,
  preambleBytes: frame.preambleBytes,
  maxHeaderBytes: frame.maxHeaderBytes,
  maxPayloadBytes: frame.maxPayloadBytes,
  chunkWindow: frame.chunkWindow,
  maxChunkPulses: worker.maxChunkPulses,
  maxSampleRows: worker.maxSampleRows,
  maxWaveformBins: worker.maxWaveformBins,
  maxDescribedRays,
  maxRowBytes,
  minStoredBytes,
  maxStoredFrames,
  viewChunkRows,
  truthChunkRows: truth.truthChunkRows,
  zenithSteps: truth.zenithSteps,
  motionStepNs,
  motionWindowNs,
  puffLastsNs,
};

const distances: Record<string, number> = { maxFromOriginM, farMeshAllowanceM };

/** Columns of messages, apart from those of returns, by the namespace they get. */
const columnSets: Record<string, ColumnTypes> = {
  trajectory: worker.trajectoryColumns,
  plantsRequest: worker.plantsRequestColumns,
  platform: worker.platformColumns,
  motion: motionColumns,
  map: mapColumns,
  mapGround: mapGroundColumns,
  plume: puffColumns,
  mesh: worker.meshColumns,
  ground: groundColumns,
  description: descriptionColumns,
  waveform: worker.waveformColumns,
  log: typesOf(logColumns),
  logChunk: logChunkColumns,
  view: viewColumns,
  voxelTruth: { ...truth.voxelTruthColumns, ...truth.voxelReplyColumns },
  gapTruth: truth.gapTruthColumns,
  voxelBeams: voxelBeamsColumns,
  voxelArrays,
};

/** Tables that C++ fills row by row: a struct of vectors each. */
const tables: Record<string, ColumnTypes> = {
  RayRows: typesOf(rayColumns),
  InstanceColumns: worker.instanceColumns,
  PlantTruthRows: truth.plantTruthColumns,
  SignalHitRows: signal.signalHitColumns,
  SignalEchoRows: signal.signalEchoColumns,
  FormedReturnRows: signal.formedReturnColumns,
  EvaluationRows: evaluationColumns,
};

const objects: Record<string, z.ZodObject> = {
  ...recipe.recipeObjects,
  ...plantObjects,
  ...worker.requestObjects,
  ...describeObjects,
  ...benchObjects,
  ...packingObjects,
  ...mapObjects,
  ...signal.signalObjects,
  ...learnedObjects,
  ...learnObjects,
  ...evaluateObjects,
  ...learnedViewObjects,
  ...truth.truthObjects,
  ...voxelBeamsObjects,
};

/** Fields of the largest object. */
const maxFields = Math.max(...Object.values(objects).map(({ shape }) => Object.keys(shape).length));

const valueTypes: Record<ColumnType, string> = {
  u8: 'std::uint8_t',
  u16: 'std::uint16_t',
  u32: 'std::uint32_t',
  i32: 'std::int32_t',
  u64: 'std::uint64_t',
  i64: 'std::int64_t',
  f32: 'float',
  f64: 'double',
};

/** Text of each generated file by its name. @throws TypeError where the contract has something that C++ cannot express */
export function nativeContract(): Record<string, string> {
  return { 'contract.h': header(), ...recipeSources(recipeFiles, { enumerations, objects }) };
}

function header(): string {
  return `// Generated from src-main/contract by the build: what TypeScript and C++ both know. Words, columns, methods,
// bounds, and the fields of requests and recipes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "contract/fields.h"

namespace understory {

${Object.entries(enumerations)
  .map(([name, words]) => enumeration(name, words))
  .join('\n')}
${Object.entries(valueTypes)
  .map(
    ([type, value]) => `template <>
struct TypeOf<${value}> {
  static constexpr ColumnType type = ColumnType::${type};
};`,
  )
  .join('\n')}

// By ColumnType.
inline constexpr std::array<std::size_t, ${Object.keys(valueTypes).length}> bytesOfColumnType{${Object.keys(
    columnTypes,
  )
    .map((type) => bytesOf(type as ColumnType))
    .join(', ')}};

struct ReturnColumnInfo {
  std::string_view name;
  ColumnType type;
  std::size_t bytes;  // of an element
};

// By ReturnColumn.
inline constexpr std::array<ReturnColumnInfo, ${Object.keys(returnColumns).length}> returnColumns{{
${Object.entries(returnColumns)
  .map(([name, { type }]) => `  {"${name}", ColumnType::${type}, ${bytesOf(type)}},`)
  .join('\n')}
}};

${Object.entries(tables)
  .map(([name, types]) => table(name, types))
  .join('\n')}
namespace columns {
${Object.entries(columnSets)
  .map(([name, types]) => columnSet(name, types))
  .join('\n')}
}  // namespace columns

namespace methods {
${workerMethodNames.map(method).join('\n')}
}  // namespace methods

namespace bounds {
${Object.entries({ ...bounds, maxFields })
  .map(([name, value]) => `inline constexpr std::size_t ${name} = ${value};`)
  .join('\n')}
${Object.entries(distances)
  .map(([name, value]) => `inline constexpr double ${name} = ${value.toFixed(1)};`)
  .join('\n')}
}  // namespace bounds

namespace fields {
${Object.entries(objects)
  .map(([name, schema]) => fieldsOf(name, schema, enumerations))
  .join('\n')}
}  // namespace fields

}  // namespace understory
`;
}

/** A method with the columns of its requests. */
function method(name: WorkerMethodName): string {
  const columns = requestColumnsOf(name);
  if (columns.length === 0) return `inline constexpr Method ${camel(name)}{"${name}", {}};`;
  const list = `${camel(name)}Columns`;
  const names = columns.map((column) => `    "${column}",`).join('\n');
  return `inline constexpr std::array<std::string_view, ${columns.length}> ${list}{
${names}
};
inline constexpr Method ${camel(name)}{"${name}", ${list}};`;
}

function enumeration(name: string, words: readonly string[]): string {
  return `enum class ${name} { ${words.map(camel).join(', ')} };
template <>
struct WordsOf<${name}> {
  static constexpr std::array<std::string_view, ${words.length}> words{
${words.map((word) => `    "${word}",`).join('\n')}
  };
};
`;
}

function table(name: string, types: ColumnTypes): string {
  const columns = Object.entries(types);
  const vector = ([column, type]: [string, ColumnType]): string =>
    `  std::vector<${valueTypes[type]}> ${camel(column)};`;
  const use = ([column, type]: [string, ColumnType]): string =>
    `  use(TypedColumn<${valueTypes[type]}>{"${column}"}, rows.${camel(column)}...);`;
  return `struct ${name} {
${columns.map(vector).join('\n')}

  std::size_t size() const { return ${camel(columns[0]?.[0] ?? '')}.size(); }
};

// Calls use(TypedColumn, vector of each of \`rows\`) for every column, in the table's order.
template <typename Function, typename... Rows>
void forEachColumnOf${name}(Function&& use, Rows&... rows) {
${columns.map(use).join('\n')}
}
`;
}

function columnSet(name: string, types: ColumnTypes): string {
  return `namespace ${name} {
${Object.entries(types)
  .map(
    ([column, type]) =>
      `inline constexpr TypedColumn<${valueTypes[type]}> ${camel(column)}{"${column}"};`,
  )
  .join('\n')}
}  // namespace ${name}`;
}

function bytesOf(type: ColumnType): number {
  return columnTypes[type].BYTES_PER_ELEMENT;
}
