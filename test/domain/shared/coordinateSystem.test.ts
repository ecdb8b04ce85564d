// Which texts are of one coordinate reference system, and what a system is called.
import { describe, expect, it } from 'vitest';
import { differentSystems, isSameSystem, systemName } from '#domain/shared/coordinateSystem.ts';

const wkt1 =
  'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",AUTHORITY["EPSG","4258"]],UNIT["metre",1],AUTHORITY["EPSG","25832"]]';
const wkt2 = 'PROJCRS["ETRS89 / UTM zone 32N",BASEGEOGCRS["ETRS89"],ID["EPSG",25832]]\n';
const withoutCode =
  'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS",AUTHORITY["EPSG","4258"]],UNIT[]]';

describe('systems', () => {
  it('are the same by text or by the EPSG code of the whole', () => {
    expect(isSameSystem('EPSG:25832', ' epsg:25832')).toBe(true);
    expect(isSameSystem('EPSG:25832', wkt1)).toBe(true);
    expect(isSameSystem(wkt2, wkt1)).toBe(true);
    expect(isSameSystem(withoutCode, withoutCode.replaceAll(',', ',\n  '))).toBe(true);
  });

  it('are others by another code, and where they cannot be compared', () => {
    expect(isSameSystem('EPSG:25832', 'EPSG:25833')).toBe(false);
    expect(isSameSystem('EPSG:25833', wkt1)).toBe(false);
    // The code of a part is not that of the whole.
    expect(isSameSystem('EPSG:4258', wkt1)).toBe(false);
    expect(isSameSystem('EPSG:4258', withoutCode)).toBe(false);
    expect(isSameSystem('EPSG:25832', withoutCode)).toBe(false);
  });

  it('are each once among many', () => {
    expect(differentSystems([null, 'EPSG:25832', wkt1, null, 'EPSG:25833'])).toEqual([
      'EPSG:25832',
      'EPSG:25833',
    ]);
    expect(differentSystems([null, null])).toEqual([]);
  });

  it('have a name of some words', () => {
    expect(systemName('EPSG:25832')).toBe('EPSG:25832');
    expect(systemName(wkt1)).toBe('ETRS89 / UTM zone 32N');
    expect(systemName(`LOCAL_CS["${'x'.repeat(70)}"]`)).toHaveLength(58);
  });
});
