// The name that a saved scan begins with: its sensor, its return mode, and the time of a scene that moves.

export function scanName(
  { sensor, recipe }: { sensor: { id: string }; recipe: { returns: { mode: string } } },
  isEdited: boolean,
  fromS: number | undefined,
): string {
  const parts = [`${sensor.id}${isEdited ? ', edited' : ''}`, recipe.returns.mode];
  return [...parts, ...(fromS === undefined ? [] : [`at ${fromS} s`])].join(', ');
}
