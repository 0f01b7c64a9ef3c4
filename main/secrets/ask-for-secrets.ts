import type { Logger } from 'pino';
import type { Dialogs } from '../window/dialogs.ts';
import { KeyringClosed, type SecretKey } from './secrets.ts';

/** How secrets are opened; `forget` gives up the key that a locked keyring has. */
export interface SecretSource {
  open(): Promise<SecretKey>;
  forget(): Promise<void>;
}

/**
 * Returns the key of the secrets. If the keyring refuses, asks the user, and with consent gives up the stored key
 * and creates a new one. Undefined means that the user quits and nothing was changed.
 */
export async function askForSecrets(
  source: SecretSource,
  dialogs: Pick<Dialogs, 'keyringClosed'>,
  log: Logger,
): Promise<SecretKey | undefined> {
  try {
    return await source.open();
  } catch (error) {
    if (!(error instanceof KeyringClosed)) throw error;
    log.warn({ err: error }, 'keyring');
    if ((await dialogs.keyringClosed()) === 'quit') return undefined;
    await source.forget();
    return source.open();
  }
}
