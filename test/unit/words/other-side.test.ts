import { describe, expect, it } from 'vitest';
import { RequestRefusedError } from '../../../server/peer/guard/errors.ts';
import { StoreError } from '../../../server/store/store.ts';
import { toFailure } from '../../../server/sync/status/problems.ts';
import { speak } from '../../../server/words/said.ts';

/** What another Footbridge or the disk says comes in English; our user reads it in the language of the window. */
describe('what others say', () => {
  it.each(['invite.wrong', 'invite.used', 'invite.expired', 'invite.withdrawn', 'pairing.same-installation'])(
    'is told in German where a partner refuses with %s',
    (code) => {
      const { words } = new RequestRefusedError(410, 'The invite was used already. Ask for a new one.', code);
      expect(speak(words, 'en')).not.toContain('Their computer rejected');
      expect(speak(words, 'de')).not.toBe(speak(words, 'en'));
      expect(speak(words, 'de')).not.toMatch(/\b(the|invite|used|computers)\b/i);
    },
  );

  it.each(['damaged', 'io', 'closed'] as const)(
    'is told in German where the disk fails a pull with %s, and tells logs why in English',
    (code) => {
      const error = new StoreError(code, 'The disk reported an error (EIO).');
      const { kind, message } = toFailure(error, 0);
      expect(kind).toBe('store');
      expect(speak(message, 'de')).not.toBe(speak(message, 'en'));
      expect(speak(message, 'de')).not.toContain('EIO');
    },
  );
});
