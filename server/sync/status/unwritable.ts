import type { Unwritable } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';

/** What the user is told, of every partner and on Home, while this computer's disk takes nothing. */
export function unwritableWords(code: Unwritable['code']): Words {
  switch (code) {
    case 'full':
      return said`The disk of this computer is full: nothing can be saved, received or sent until there is room. Make room on it.`;
    case 'permission':
      return said`The data folder of this computer cannot be written: nothing can be saved, received or sent. Check that you may change its files and that no other program holds them.`;
    case 'io':
      return said`The disk of this computer reported an error: nothing can be saved, received or sent. Check that it is connected and in order.`;
  }
}
