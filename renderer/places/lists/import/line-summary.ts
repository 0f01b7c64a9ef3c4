import type { ImportAnswer } from '../../../../server/contract/app/import.ts';
import type { App } from '../../../state/app.svelte.ts';

const SHOWN = 6;

/** Some lines of a file with what they say, and how many more there are. */
export function summarizeLines(app: Pick<App, 't' | 'format'>, lines: ImportAnswer['sums']): string {
  const named = lines.slice(0, SHOWN).map(({ line, text }) => app.t('import.line', { line, reason: text }));
  const others = lines.length - named.length;
  return others > 0 ? `${named.join(', ')} ${app.t('import.more', { n: others })}` : app.format.list(named);
}
