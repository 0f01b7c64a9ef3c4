import type { Progress } from '../../server/contract/app/overview.ts';
import type { Translate } from '../text/catalogue.ts';

/** How long a pull will take from here on; undefined where nobody knows how many rows there are, or how fast they come. */
export function timeLeft({ done, total, rowsPerSecond }: Progress, t: Translate): string | undefined {
  if (total === undefined || rowsPerSecond <= 0) return undefined;
  const minutes = Math.round((total - done) / rowsPerSecond / 60);
  return minutes < 1 ? t('progress.seconds-left') : t('progress.minutes-left', { n: minutes });
}

/** How far a pull has come, in rows. */
export const rowsSoFar = ({ done, total }: Progress, t: Translate): string =>
  total === undefined ? t('progress.rows', { n: done }) : t('progress.rows-of', { done, n: total });
