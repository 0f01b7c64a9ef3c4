import type { Spoken } from './calls.ts';

/** The two ends of a pairing: the partner's id at each. */
export interface Pair {
  /** The invited office, as the inviter knows it. */
  readonly atInviter: string;
  /** The inviter, as the invited office knows it. */
  readonly atInvited: string;
  readonly uri: string;
}

/** Returns an invite as older versions write it, or somebody who changes it on its way. */
export const withoutChecksum = (uri: string): string => uri.replace(/sum=[^&]*&/, '');

/** Pairs two nodes by invite, as their users would. `change` stands for what happens to the invite on its way. */
export async function pairNodes(
  inviter: Spoken,
  invited: Spoken,
  change: (uri: string) => string = (uri) => uri,
): Promise<Pair> {
  const { nodeID: atInviter, uri } = await inviter.app<{ nodeID: string; uri: string }>(
    'POST',
    '/app/invites',
    {
      name: 'the other office',
    },
  );
  const { nodeID: atInvited } = await invited.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: change(uri),
    ownNetwork: true,
  });
  await inviter.app('POST', `/federation/nodes/${atInviter}/handshake-confirm`);
  return { atInviter, atInvited, uri };
}
