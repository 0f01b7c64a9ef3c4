/** What the system says about its own safe place for secrets. */
export interface Keyring {
  readonly platform: NodeJS.Platform;
  /** Electron can encrypt here. */
  readonly available: boolean;
  /** Linux: which service does it; undefined elsewhere. */
  readonly backend: string | undefined;
}

/**
 * Where the key of the stored secrets belongs: with the system's keyring, unless there is none. Linux without
 * one still "encrypts", with a password known to everybody: that protects nothing and must not look as if.
 */
export function chooseSecretStore({ platform, available, backend }: Keyring): 'system' | 'file' {
  if (!available) return 'file';
  if (platform !== 'linux') return 'system';
  return backend === undefined || backend === 'basic_text' || backend === 'unknown' ? 'file' : 'system';
}
