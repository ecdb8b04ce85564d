// Numbers in recipes.
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
