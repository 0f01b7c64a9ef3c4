/** The system's statement about its keyring. */
export interface Keyring {
  readonly platform: NodeJS.Platform;
  /** Electron can encrypt here. */
  readonly available: boolean;
  /** Something just encrypted with it; undefined if it can't encrypt. */
  readonly sample: Buffer | undefined;
}

/** The prefix of Chromium's encryption on Linux without a keyring, with a well-known password. */
const KNOWN_TO_ALL = 'v10';

/** Returns whether the text was encrypted with a well-known password, so that anybody can decrypt it. */
export const isOpenToAll = (sealed: Buffer, platform: NodeJS.Platform): boolean =>
  platform === 'linux' && sealed.subarray(0, KNOWN_TO_ALL.length).toString('latin1') === KNOWN_TO_ALL;

/**
 * Returns where the key of the stored secrets belongs: in the system's keyring if there is one, otherwise in a
 * file. Linux without a keyring still "encrypts", which protects nothing; only its output shows that, as Electron
 * reports encryption as available.
 */
export function chooseSecretStore({ platform, available, sample }: Keyring): 'system' | 'file' {
  return available && sample !== undefined && !isOpenToAll(sample, platform) ? 'system' : 'file';
}
