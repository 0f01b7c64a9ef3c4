import type { Unwritable } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';

/** Returns the message why the disk can't be written to. */
export function unwritableWords(code: Unwritable['code']): Words {
  switch (code) {
    case 'full':
      return said('disk.full-here');
    case 'permission':
      return said('disk.not-writable-here');
    case 'io':
      return said('disk.error-here');
  }
}
