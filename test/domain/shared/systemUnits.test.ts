// Units of axes in well-known text of both versions, and what a system is in metres.
import { describe, expect, it } from 'vitest';
import { crsProblem } from '#domain/shared/coordinateSystem.ts';
import { systemInMetres, unitOfHeights, unitsOfSystem } from '#domain/shared/systemUnits.ts';

const geographic1 =
  'GEOGCS["NAD83",DATUM["D",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';
const projected1 = (unit: string): string =>
  `PROJCS["State plane",${geographic1},PROJECTION["Transverse_Mercator"],PARAMETER["scale_factor",0.9999],PARAMETER["false_easting",1000],${unit},AXIS["X",EAST],AUTHORITY["EPSG","2277"]]`;
const footUs = 'UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]]';
const heights1 = (unit: string): string =>
  `VERT_CS["NAVD88",VERT_DATUM["NAVD",2005,AUTHORITY["EPSG","5103"]],${unit},AUTHORITY["EPSG","6360"]]`;
const compound1 = (level: string, heights: string): string =>
  `COMPD_CS["both",${projected1(level)},${heights1(heights)}]`;
const metre = 'UNIT["metre",1]';

const base2 =
  'BASEGEOGCRS["NAD83",DATUM["D",ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]]';
const projected2 = `PROJCRS["State plane",${base2},CONVERSION["c",METHOD["Transverse Mercator"],PARAMETER["False easting",1000],PARAMETER["False northing",7,LENGTHUNIT["metre",1]]],CS[Cartesian,2],AXIS["x",east,ORDER[1]],AXIS["y",north,ORDER[2]],LENGTHUNIT["foot",0.3048],ID["EPSG",2994]]`;
const perAxis = (x: string, y: string): string =>
  `ENGCRS["site",EDATUM["d"],CS[Cartesian,3],AXIS["x",east,${x}],AXIS["y",north,${y}],AXIS["z",up,LENGTHUNIT["yard",0.9144]]]`;
const heights2 = 'VERTCRS["h",VDATUM["d"],CS[vertical,1],AXIS["h",up],LENGTHUNIT["foot",0.3048]]';

describe('units of a system', () => {
  it.each([
    ['version 1', projected1(footUs), 0.304800609601219, null],
    ['version 1 without a unit', projected1('AXIS["Y",NORTH]'), 1, null],
    ['version 1 with heights', compound1(metre, footUs), 1, 0.304800609601219],
    ['version 2, after the axes', projected2, 0.3048, null],
    ['version 2, axis by axis', perAxis('LENGTHUNIT["f",0.3]', 'LENGTHUNIT["f",0.3]'), 0.3, 0.9144],
    ['version 2 with heights', `COMPOUNDCRS["both",${projected2},${heights2}]`, 0.3048, 0.3048],
    [
      'version 2, bound',
      `BOUNDCRS[SOURCECRS[${projected2}],TARGETCRS[${projected2}]]`,
      0.3048,
      null,
    ],
    ['round brackets', 'LOCAL_CS("site",LOCAL_DATUM("d",0),UNIT("link",0.201168))', 0.201168, null],
  ])('%s', (_name, wkt, horizontal, vertical) => {
    const units = unitsOfSystem(wkt);
    expect(units).toMatchObject({ horizontal: { metres: horizontal } });
    expect(typeof units === 'string' ? units : (units.vertical?.metres ?? null)).toBe(vertical);
  });

  it.each([
    ['degrees of version 1', geographic1, "angles ('degree')"],
    [
      'degrees of version 2',
      'GEOGCRS["WGS 84",DATUM["d"],CS[ellipsoidal,2],AXIS["lat",north],ANGLEUNIT["grad",0.0157]]',
      "angles ('grad')",
    ],
    [
      'degrees below heights',
      `COMPD_CS["b",${geographic1},${heights1(metre)}]`,
      "angles ('degree')",
    ],
    ['polar axes', perAxis('LENGTHUNIT["metre",1]', 'ANGLEUNIT["degree",0.017]'), "'degree'"],
    [
      'two units',
      perAxis('LENGTHUNIT["metre",1]', 'LENGTHUNIT["foot",0.3048]'),
      'two units, metre (1 m) and foot (0.3048 m)',
    ],
    ['heights alone', heights1(metre), 'heights alone'],
    ['a unit without a factor', projected1('UNIT["cubit"]'), "the unit 'cubit' without a factor"],
    ['open brackets', 'PROJCS["x",UNIT["metre",1]', 'no well-known text'],
    ['an open quote', 'PROJCS["x,UNIT[metre,1]]', 'no well-known text'],
    ['deep nesting', 'A['.repeat(50_000), 'no well-known text'],
  ])('none: %s', (_name, wkt, found) => {
    expect(unitsOfSystem(wkt)).toBe(found);
    expect(crsProblem(wkt, null)).toContain(found);
  });

  it('are those of a system of heights', () => {
    expect(unitOfHeights(heights1(footUs))).toMatchObject({ name: 'US survey foot' });
    expect(unitOfHeights(heights2)).toMatchObject({ metres: 0.3048 });
    expect(unitOfHeights(projected2)).toBe('no system of heights');
  });
});

describe('a system in metres', () => {
  it('has the false origin in metres and no code of its own', () => {
    const found = systemInMetres(compound1(footUs, footUs));
    expect(unitsOfSystem(found)).toMatchObject({
      horizontal: { metres: 1 },
      vertical: { metres: 1 },
    });
    expect(found).toContain('PARAMETER["false_easting",304.800609601219]');
    expect(found).toContain('PARAMETER["scale_factor",0.9999]');
    expect(found).toContain(geographic1);
    expect(found).not.toMatch(/"(2277|6360)"/);
    expect(crsProblem(found, null)).toBeNull();
  });

  it('keeps what is in metres', () => {
    const level = systemInMetres(compound1(metre, footUs));
    expect(level).toContain('AUTHORITY["EPSG","2277"]');
    expect(level).toContain('VERT_CS["NAVD88 in metres"');
    expect(systemInMetres(projected1(metre))).toBe(projected1(metre));
  });

  it('of version 2 converts parameters without a unit of their own', () => {
    const found = systemInMetres(projected2);
    expect(found).toContain('PARAMETER["False easting",304.8]');
    expect(found).toContain('PARAMETER["False northing",7,LENGTHUNIT["metre",1]]');
    expect(found).toMatch(/AXIS\["y",north,ORDER\[2\]\],LENGTHUNIT\["metre",1\]\]$/);
  });
});

it('problems name the unit', () => {
  expect(crsProblem('EPSG:2277', projected1(footUs))).toBe(
    "expected a system in metres, found US survey foot (0.304801 m) in 'EPSG:2277'",
  );
  expect(crsProblem(compound1(metre, footUs), null)).toContain('US survey foot');
  expect(crsProblem('EPSG:4326', geographic1)).toContain("angles ('degree')");
  expect(crsProblem('EPSG:99999', null)).toContain('not in the table');
});
