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
 * Returns the error to report: another program's answer at the partner's address isn't the partner's. After a
 * refusal that anybody could have sent, asks who is there, without credentials.
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
    // Nobody there speaks the interface; other failures don't identify anybody.
    return nobody instanceof ProtocolViolationError || nobody instanceof HTMLResponseError
      ? new ForeignProgramError()
      : error;
  }
}

/** A Footbridge identifies itself; for other servers only an unknown path indicates another program. */
function mightBeForeignHost(error: unknown, { footbridge }: Pick<Node, 'footbridge'>): boolean {
  if (error instanceof RequestRefusedError)
    return hasStatus(error, 404, 405) || (footbridge && hasStatus(error, 403));
  return footbridge && (error instanceof TokenRejectedError || error instanceof ProtocolViolationError);
}
