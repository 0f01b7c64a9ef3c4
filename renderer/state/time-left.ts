import type { Progress } from '../../server/contract/app/overview.ts';
import type { Translate } from '../text/catalogue.ts';

/** Returns the remaining time of a pull in words; undefined without a total or a rate. */
export function timeLeft({ done, total, rowsPerSecond }: Progress, t: Translate): string | undefined {
  if (total === undefined || rowsPerSecond <= 0) return undefined;
  const minutes = Math.round((total - done) / rowsPerSecond / 60);
  return minutes < 1 ? t('progress.seconds-left') : t('progress.minutes-left', { n: minutes });
}

/** Returns in words how many rows of a pull are done, of how many if that is known. */
export const rowsSoFar = ({ done, total }: Progress, t: Translate): string =>
  total === undefined ? t('progress.rows', { n: done }) : t('progress.rows-of', { done, n: total });
