import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { changeNode, nowOf, type FederationContext } from '../context.ts';
import type { Endings } from './endings.ts';
import type { Compared, Node } from '../model.ts';

/** Who spoke to whom, where our user said so. */
export type Who = Pick<Compared, 'name' | 'spokeTo'>;

/** What came of comparing the verification words by telephone (docs/pairing.md: What is kept, and what it opens). */
export interface WordsCompared {
  /**
   * Notes that the words are the same on both sides, and who says so; or ends the connection at once, since somebody
   * may sit in between, and tells the partner so. `words` are those that were compared.
   * @throws Refusal `conflict` when they are not the words of the connection any more
   */
  wordsCompared(nodeID: string, words: string, same: boolean, by: string, who?: Who): Promise<Node>;
}

export function createWordsCompared(
  context: FederationContext,
  { revoke }: Pick<Endings, 'revoke'>,
): WordsCompared {
  return {
    async wordsCompared(nodeID, words, same, by, who = {}) {
      const noted = await changeNode(context, nodeID, (node) => {
        if (node.status !== 'paired' || node.words !== words) throw others();
        return same ? { ...node, wordsCompared: { by, at: nowOf(context), ...who } } : node;
      });
      return same ? noted : revoke(nodeID, by, { wordsDiffer: true });
    },
  };
}

const others = (): Refusal => new Refusal('conflict', 'words.others', said('pairing.other-words'));
