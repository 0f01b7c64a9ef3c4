import manifest from '../package.json' with { type: 'json' };

/** The version of this Footbridge. */
export const VERSION: string = manifest.version;
