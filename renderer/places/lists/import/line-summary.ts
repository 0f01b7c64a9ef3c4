import type { ImportAnswer } from '../../../../server/contract/app/import.ts';
import type { App } from '../../../state/app.svelte.ts';

const SHOWN = 6;

/** Returns the first six of these lines in words, with their content, and the number of further ones. */
export function summarizeLines(app: Pick<App, 't' | 'format'>, lines: ImportAnswer['sums']): string {
  const named = lines.slice(0, SHOWN).map(({ line, text }) => app.t('import.line', { line, reason: text }));
  const others = lines.length - named.length;
  return others > 0 ? `${named.join(', ')} ${app.t('import.more', { n: others })}` : app.format.list(named);
}
