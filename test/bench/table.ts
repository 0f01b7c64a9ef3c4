import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { Machine } from './machine.ts';
import type { Measured } from './measured.ts';

const HEAD = ['What', 'Ours', 'Reference', 'Its', 'Ratio', 'To reach', ''];

/** The measurements as a Markdown table below a line about the machine; higher ratios are better. */
export function asTable(machine: Machine, measured: readonly Measured[]): string {
  const { cpu, cores, memoryGiB, platform, node, loadBefore } = machine;
  const where = `${cores} cores (${cpu}), ${memoryGiB} GiB, ${platform}, Node ${node}; load before: ${loadBefore}`;
  const lines = measured.map(({ what, ours, reference, theirs, ratio, toReach, reached }) => [
    what,
    ours,
    reference,
    theirs,
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    toReach,
    reached === undefined ? '' : reached ? 'reached' : 'missed',
  ]);
  const all = [HEAD, HEAD.map(() => '---'), ...lines];
  return `${where}\n\n${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const BETWEEN = /(<!-- benchmarks -->\n)[^]*(<!-- end of benchmarks -->)/;

/** Puts the table in place of the one before, as the format check wants it. */
export async function putIntoPage(table: string): Promise<void> {
  const text = await readFile(PAGE, 'utf8');
  if (!BETWEEN.test(text)) throw new Error('docs/benchmarks.md has no place for the benchmarks.');
  const changed = text.replace(BETWEEN, (_all, start: string, end: string) => `${start}\n${table}\n${end}`);
  const config = await resolveConfig(PAGE);
  await writeFile(PAGE, await format(changed, { ...config, filepath: PAGE }));
}
