import { said, type Words } from '../../words/said.ts';

/** Says why a file can't be read or written now, without promising a retry; other reasons unchanged. */
export function withoutRetryPromise(waits: Words): Words {
  if (typeof waits !== 'object' || !('code' in waits)) return waits;
  const { file = '', folder = '', code = '' } = waits.with;
  switch (waits.code) {
    case 'watched.gone':
      return said('watched.none-there', { file });
    case 'watched.empty-folder':
      return said('watched.none-in-folder', { folder });
    case 'watched.locked':
      return said('watched.locked-now', { file });
    case 'watched.not-read':
      return said('watched.not-read-now', { file, code });
    case 'watched.empty':
      return said('watched.empty-now', { file });
    case 'watched.being-written':
      return said('watched.written-now', { file });
    case 'watched.no-answer':
      return said('watched.no-answer-now', { file });
    case 'copy.locked':
      return said('copy.locked-now', { file });
    case 'copy.not-written':
      return said('copy.not-written-now', { file, code });
    case 'copy.full':
      return said('copy.full-now', { file });
    default:
      return waits;
  }
}
