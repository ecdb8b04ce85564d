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

/** A field that a recipe may lack: the worker then has `value`; {} is an object of zeros, empty lists and left-out fields. */
export function leftOut<S extends z.ZodType>(
  schema: S,
  value: z.output<S> | Record<string, never>,
): z.ZodExactOptional<S> {
  return schema.exactOptional().meta({ leftOut: value });
}

/** The index of an entry of another list of the recipe: of the nearest object around it that has a list of this name. */
export function indexIn<S extends z.ZodInt>(schema: S, list: string): S {
  return schema.meta({ indexIn: list });
}

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

/** The same, each left out in place of a default, which the worker then has. */
export function withoutDefaults<const T extends z.ZodRawShape>(
  shape: T,
): { [K in keyof T]: z.ZodExactOptional<Inner<T[K]>> } {
  const fields = Object.entries(givenFields(shape)).map(([name, given]) => {
    const schema = shape[name];
    const isDefault = schema instanceof z.ZodDefault;
    const field = given as z.ZodType;
    return [name, isDefault ? leftOut(field, schema.def.defaultValue) : field.exactOptional()];
  });
  // Why the cast: as above.
  return Object.fromEntries(fields) as { [K in keyof T]: z.ZodExactOptional<Inner<T[K]>> };
}
