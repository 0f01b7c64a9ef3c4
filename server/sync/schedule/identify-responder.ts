import type { Node } from '../../federation/model.ts';
import {
  ForeignProgramError,
  hasStatus,
  HTMLResponseError,
  ProtocolViolationError,
  RequestRefusedError,
  TokenRejectedError,
} from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';

/**
 * The error as it is to be told: what another program says at the partner's address is no word of the partner's. A
 * no that anybody may have given is followed by the question who is there, in which no credential goes along.
 */
export async function attributeError(
  error: unknown,
  node: Pick<Node, 'footbridge'>,
  peer: Pick<Peer, 'probe'>,
  signal: AbortSignal,
): Promise<unknown> {
  if (!mightBeForeignHost(error, node)) return error;
  try {
    const found = await peer.probe(signal);
    return node.footbridge && !found.footbridge ? new ForeignProgramError() : error;
  } catch (nobody) {
    // Nobody there speaks the interface; any other failure tells nothing of who it is.
    return nobody instanceof ProtocolViolationError || nobody instanceof HTMLResponseError
      ? new ForeignProgramError()
      : error;
  }
}

/** A Footbridge says who it is; of another server only an unknown path is a sign that it is not there. */
function mightBeForeignHost(error: unknown, { footbridge }: Pick<Node, 'footbridge'>): boolean {
  if (error instanceof RequestRefusedError)
    return hasStatus(error, 404, 405) || (footbridge && hasStatus(error, 403));
  return footbridge && (error instanceof TokenRejectedError || error instanceof ProtocolViolationError);
}
