// Which objects of recipes and requests become C++ structs with generated readers, and what of them is written by hand.
// A new field of an object with a struct needs no more here than its row in the schema.
import { plantSchema } from '../documents/plant.ts';
import { modelSourceSchema, surfaceRecipeSchema } from '../worker/recipe.ts';
import type { FieldByHand } from './recipeFields.ts';
import type { RecipeFiles } from './recipeSources.ts';

/** Fields of every plant. Why the seed: in effect is the one beside the plant. */
const heading = ['id', 'name', 'seed'];
const share: FieldByHand = { type: 'Spectrum', read: calls('readShare') };
const absorption: FieldByHand = { type: 'Spectrum', read: calls('readAbsorption') };
const colour: FieldByHand = { type: 'std::array<float, 3>', read: calls('readColour') };

export const recipeFiles: RecipeFiles = {
  plantRecipe: {
    about: 'plants',
    ofHost: { grassPatch: heading, tree: heading, shrub: heading, sizedPlant: heading },
    structs: {
      grassPatch: 'GrassPatchParameters',
      leaves: 'LeafParameters',
      branch: 'BranchParameters',
      treeTrunk: 'TreeTrunkParameters',
      tree: 'TreeParameters',
      shrubTrunk: 'ShrubTrunkParameters',
      shrub: 'ShrubParameters',
      sizedCrown: 'SizedCrown',
      sizedStems: 'SizedStems',
      sizedLevel: 'SizedLevel',
      sizedLeaves: 'SizedLeaves',
      sizedPlant: 'SizedPlantParameters',
    },
    variants: { Plant: plantSchema },
    checked: ['leaves', 'tree', 'shrub', 'sizedPlant'],
  },
  modelRecipe: {
    about: 'sources of models',
    includes: ['contract/plantRecipe.h'],
    structs: {
      meshSource: 'MeshSource',
      boxSource: 'BoxSource',
      sphereSource: 'SphereSource',
      cylinderSource: 'CylinderSource',
      planeSource: 'PlaneSource',
      rootStepSource: 'RootStepSource',
      leafDiscsSource: 'LeafDiscsSource',
      litterSource: 'LitterSource',
      plantSource: 'PlantSource',
      heightFieldSource: 'HeightFieldSource',
    },
    variants: { ModelShape: modelSourceSchema },
  },
  opticsRecipe: {
    about: 'surfaces, air and wind',
    includes: ['core/optics/spectrum.h'],
    ofHost: { plume: ['raised'] },
    fieldsByHand: {
      material: { reflectance: share, transmittance: share, colourRgb: colour },
      mirrorSurface: { specularReflectance: share },
      glass: { absorptionPerM: absorption },
      water: { absorptionPerM: absorption },
    },
    merged: { Surface: surfaceRecipeSchema },
    structs: {
      material: 'Material',
      atmosphere: 'Atmosphere',
      particles: 'Particles',
      medium: 'Medium',
      plume: 'PlumeLaw',
      weather: 'Weather',
      wind: 'Wind',
    },
    checked: ['material', 'medium'],
  },
  sensorRecipe: {
    about: 'sensors',
    includes: ['core/sensor/rayProfile.h', 'core/sensor/scanLayout.h'],
    fieldsByHand: {
      beamRays: { profile: { type: 'RayProfile', read: calls('readRayProfile') } },
      sensor: { scan: { type: 'ScanLayout', read: calls('readScanLayout') } },
    },
    structs: {
      clock: 'SensorClock',
      bank: 'LaserBank',
      beamRays: 'BeamRays',
      beam: 'BeamRecipe',
      detection: 'DetectionRecipe',
      gate: 'ReflectanceGate',
      waveform: 'WaveformRecipe',
      returns: 'ReturnsRecipe',
      noise: 'NoiseRecipe',
      intensity: 'IntensityRecipe',
      quantisation: 'QuantisationRecipe',
      sensor: 'SensorRecipe',
    },
    checked: ['bank', 'beam', 'gate', 'waveform', 'returns', 'intensity', 'sensor'],
  },
  sceneRecipe: {
    about: 'scenes',
    includes: ['contract/opticsRecipe.h', 'core/assembly/modelRecipe.h'],
    ofHost: { instance: ['name'], tilePlant: ['name'] },
    fieldsByHand: {
      model: { source: { type: 'ModelSource', read: calls('readModelSource') } },
      // Their laws are the host's.
      scene: { motions: { type: 'std::size_t', read: (at) => `from.countOf(${at})` } },
    },
    structs: {
      model: 'ModelRecipe',
      instance: 'InstanceRecipe',
      keepClear: 'KeepClear',
      scatter: 'ScatterRecipe',
      tilePlant: 'TilePlantRecipe',
      tile: 'TileRecipe',
      landscape: 'LandscapeRecipe',
      scene: 'SceneRecipe',
    },
    checked: ['instance', 'scatter', 'tilePlant', 'landscape', 'scene'],
  },
  mapRequest: {
    about: 'mapping',
    structs: {
      wheelPlane: 'WheelPlane',
      bodyFilter: 'BodyFilter',
      clearing: 'Clearing',
      tickMap: 'TickMap',
    },
  },
  requests: {
    about: 'requests',
    structs: {
      evaluateRequest: 'EvaluateRequest',
      compareRequest: 'CompareRequest',
      cloudRequest: 'CloudRequest',
      sampleRequest: 'SampleRequest',
      elementsRequest: 'ElementsRequest',
      plantTruthRequest: 'PlantTruthRequest',
    },
  },
};

/** A function of the reader and the field. */
function calls(name: string): (at: string) => string {
  return (at) => `${name}(from, ${at})`;
}
