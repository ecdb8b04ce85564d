// A scenario's name as a title, from its id or file.

/** 'courtyard' of '/a/b/courtyard.understory.yaml'. */
export function sceneTitle(scenario: string): string {
  const file = scenario.split(/[\\/]/).at(-1) ?? scenario;
  return file.replace(/(\.understory)?\.(ya?ml|json)$/, '');
}
