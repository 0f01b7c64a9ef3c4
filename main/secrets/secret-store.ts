/** What the system says about its own safe place for secrets. */
export interface Keyring {
  readonly platform: NodeJS.Platform;
  /** Electron can encrypt here. */
  readonly available: boolean;
  /** Something that it encrypted here just now; undefined where it cannot. */
  readonly sample: Buffer | undefined;
}

/** How Chromium begins what it encrypts on Linux without a keyring, with a password known to everybody. */
const KNOWN_TO_ALL = 'v10';

/** Whether everybody can read what was encrypted so. */
export const isOpenToAll = (sealed: Buffer, platform: NodeJS.Platform): boolean =>
  platform === 'linux' && sealed.subarray(0, KNOWN_TO_ALL.length).toString('latin1') === KNOWN_TO_ALL;

/**
 * Where the key of the stored secrets belongs: with the system's keyring, unless there is none. Linux without
 * one still "encrypts", which protects nothing and must not look as if. Only what it encrypts shows that: Electron
 * calls encryption available all the same, and names the keyring that such a desktop usually has.
 */
export function chooseSecretStore({ platform, available, sample }: Keyring): 'system' | 'file' {
  return available && sample !== undefined && !isOpenToAll(sample, platform) ? 'system' : 'file';
}
