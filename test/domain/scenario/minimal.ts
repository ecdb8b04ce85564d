// The smallest valid documents, as text: tests break one value at a time.

export const minimalScenario = `understory: 2
name: test
scene:
  materials:
    soil: { reflectance: 0.3 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: soil }
  instances:
    - { name: a, model: cube, positionM: [0, 0, 0] }
`;

export const minimalSensor = `understorySensor: 3
id: test
name: test
source: a test
scan: { kind: spinning, rateHz: 10, slotsPerRevolution: 100 }
banks:
  - { name: column, elevationsDeg: [0, 1] }
range: { minM: 1, maxM: 100 }
beam: { shape: rectangular, divergenceHorizontalMrad: 3, divergenceVerticalMrad: 1 }
returns: { mode: strongest, signalCutoffM: 1 }
`;
