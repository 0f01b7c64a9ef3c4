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
