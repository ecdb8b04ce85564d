// Extensions of glTF: those that are applied, those that alter looks alone, and all others, which may alter geometry.

/** They alter geometry or places, and are read. */
const appliedExtensions: readonly string[] = [
  'KHR_mesh_quantization',
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'EXT_mesh_gpu_instancing',
];

/** Materials, images, lamps, texts and what a viewer does: surfaces are where they are without them. */
const looks =
  /^(KHR_materials_\w+|(KHR|EXT|MSFT)_texture_\w+|(KHR|EXT)_lights_\w+|KHR_xmp\w*|KHR_node_(hover|select)ability|KHR_animation_pointer|KHR_audio\w*)$/;

/** The problem of extensions that a file requires; null: none of them alters geometry in a form that is not read. */
export function extensionProblem(required: readonly string[]): string | null {
  const unknown = required.filter((name) => !appliedExtensions.includes(name) && !looks.test(name));
  if (unknown.length === 0) return null;
  const known = appliedExtensions.join(', ');
  return `expected ${known}, or extensions of looks, found ${unknown.join(', ')}: export without it`;
}

/** Whether a file says the same without it. */
export function isApplied(extension: string): boolean {
  return appliedExtensions.includes(extension) || extension === 'KHR_lights_punctual';
}
