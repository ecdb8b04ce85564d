// Understory's version, as package.json has it: in the heads of recordings and in the catalogue.
import packageJson from '../../package.json' with { type: 'json' };

export const understoryVersion: string = packageJson.version;
