// Numbers in recipes, and fields that recipes have as documents do.
import { z } from 'zod';

export const number = z.number();
export const positive = number.positive();
export const atLeast = (min: number) => z.number().min(min);
export const notNegative = atLeast(0);
export const fraction = z.number().min(0).max(1);
export const vector2 = z.tuple([number, number]);
export const vector3 = z.tuple([number, number, number]);
/** x, y, z, w. */
export const quaternion = z.tuple([number, number, number, number]);

type Inner<S> = S extends z.ZodDefault<infer T> | z.ZodOptional<infer T> ? T : S;

/** Fields of a document as its recipe has them, with the same bounds: all of them are given. */
export function givenFields<const T extends z.ZodRawShape>(
  shape: T,
): { [K in keyof T]: Inner<T[K]> } {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
    return [name, inner ? schema.unwrap() : schema];
  });
  // Why the cast: Object.fromEntries loses the names.
  return Object.fromEntries(fields) as { [K in keyof T]: Inner<T[K]> };
}

/** The same, each left out in place of a default. */
export function withoutDefaults<const T extends z.ZodRawShape>(
  shape: T,
): { [K in keyof T]: z.ZodExactOptional<Inner<T[K]>> } {
  const fields = Object.entries(givenFields(shape)).map(([name, schema]) => [
    name,
    z.exactOptional(schema as z.ZodType),
  ]);
  // Why the cast: as above.
  return Object.fromEntries(fields) as { [K in keyof T]: z.ZodExactOptional<Inner<T[K]>> };
}
