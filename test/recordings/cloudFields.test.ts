// The fields of a cloud follow from the columns' types: a new column of any type is recorded.
import { expect, test } from 'vitest';
import { type ColumnType, columnTypes, returnColumns } from '#contract/columns.ts';
import { fieldNames, layOut, layOutCloud, nameFields } from '#recordings/ros/cloudFields.ts';

test('every column of the contract has a name of its own as a field', () => {
  expect([...fieldNames.keys()].sort()).toEqual(Object.keys(returnColumns).sort());
  expect(new Set(fieldNames.values()).size).toBe(fieldNames.size);
});

test('fields that repeat from point to point lie together, by laser and by firing', () => {
  const { fields, pointStep } = layOutCloud(new Set(fieldNames.keys()));
  expect(fields.map(({ name }) => name).join(' ')).toBe(
    'x y z intensity range incidence range_clean x_sensor y_sensor z_sensor hit_x hit_y hit_z normal_x ' +
      'normal_y normal_z x_clean y_clean z_clean echo_width amplitude snr intensity_clean ' +
      'beam_origin_x beam_origin_y beam_origin_z beam_direction_x beam_direction_y beam_direction_z ' +
      'velocity_x velocity_y velocity_z radial_velocity true_range ' +
      'object_id elevation class_id material_id triangle_id mirrors red green blue learned_part support is_moving ring return_no ' +
      'n_returns beam_share pulse time t azimuth sensor_t_low sensor_t_high',
  );
  expect(pointStep).toBe(200);
});

test.each(Object.keys(columnTypes) as ColumnType[])(
  'a new column of type %s is recorded',
  (type) => {
    const table = { ...returnColumns, moisture: { type } };
    const { fields } = layOut(new Set(['x_m', 'moisture'] as const), table, nameFields(table));
    const found = fields.filter(({ column }) => column === 'moisture');
    const isWide = columnTypes[type].BYTES_PER_ELEMENT === 8;
    expect(found.map(({ name, type: as, from }) => [name, as, from])).toEqual(
      isWide
        ? [
            ['moisture_low', 'u32', 'low'],
            ['moisture_high', 'u32', 'high'],
          ]
        : [['moisture', type, 'value']],
    );
  },
);

test('a column without fields is refused', () => {
  expect(() => layOut(new Set(['x_m', 'other']), { x_m: { type: 'f32' } })).toThrow(RangeError);
});
