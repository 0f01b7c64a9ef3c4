import { createSecretKey, randomBytes } from 'node:crypto';
import {
  createFederation,
  type Federation,
  type FederationDeps,
} from '../../../server/federation/federation.ts';
import { createUserKey } from '../../../server/federation/partners/user-key.ts';

const nobody = (): Promise<never> => Promise.reject(new Error('Nobody is called in this test.'));

/**
 * The federation of an office of the test's. What is not given calls nobody, tells nobody, and seals nothing, so that a
 * store tells what lies in it.
 */
export function testFederation(
  given: Pick<FederationDeps, 'store' | 'lists' | 'clock' | 'ids'> & Partial<FederationDeps>,
): Promise<Federation> {
  return createFederation({
    secrets: { seal: (plain) => Promise.resolve(plain), open: (sealed) => Promise.resolve(sealed) },
    userKey: createUserKey(createSecretKey(randomBytes(32))),
    calls: { handshake: nobody, complete: nobody, goodbye: nobody },
    office: { installation: 'installation-Oslo', name: () => 'Oslo' },
    ownAddress: () => ({ listener: 'http://127.0.0.1:1/federation' }),
    log: { info: () => undefined, warn: () => undefined },
    onChange: () => undefined,
    onUnread: () => undefined,
    onServed: () => Promise.resolve(),
    ...given,
  });
}
