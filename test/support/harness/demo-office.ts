import { Office } from '../../../server/commands/demo-office.ts';
import type { NodeOffice } from './node.ts';

/** A node, spoken to by the client that the demo uses: over the interface, as a script would. */
export const demoOffice = ({ name, node, ready }: NodeOffice): Office => new Office(name, node, ready);

/** Pairs two offices in shape 1; answers each one's id of the other. */
export async function pair(origin: Office, destination: Office): Promise<{ there: string; here: string }> {
  const invite = await origin.invite(destination);
  const here = await destination.accept(invite.uri);
  await origin.approve(invite.nodeID);
  return { there: invite.nodeID, here };
}
