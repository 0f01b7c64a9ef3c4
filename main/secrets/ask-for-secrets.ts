import type { Logger } from 'pino';
import type { Dialogs } from '../window/dialogs.ts';
import { KeyringClosed, type SecretKey } from './secrets.ts';

/** How secrets are opened; `forget` gives up the key that a locked keyring has. */
export interface SecretSource {
  open(): Promise<SecretKey>;
  forget(): Promise<void>;
}

/**
 * Opens the key of the secrets. If the keyring stays locked, the user decides: undefined means quit, with
 * nothing given up.
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
