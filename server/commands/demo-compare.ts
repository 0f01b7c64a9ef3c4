import type { DemoList, DemoRecord, Office } from './demo-office.ts';

/**
 * Compares what one office shares with what the other has, value by value, in any order. @returns undefined
 * if equal, else the first difference in words
 */
export async function compareLists(
  origin: Office,
  originList: DemoList,
  destination: Office,
  destinationList: DemoList,
  columns: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const theirs = lines(await origin.allRows(originList), Object.keys(columns));
  const ours = lines(await destination.allRows(destinationList), Object.values(columns));
  if (theirs.length !== ours.length) return `${theirs.length} rows there, ${ours.length} here`;
  const at = theirs.findIndex((line, i) => line !== ours[i]);
  return at === -1 ? undefined : `there ${theirs[at] ?? ''}, here ${ours[at] ?? ''}`;
}

function lines(records: readonly DemoRecord[], columns: readonly string[]): string[] {
  return records
    .map(({ values }) =>
      JSON.stringify(
        columns.map((name) =>
          values
            .filter((each) => each.name === name)
            .map((each) => each.value)
            .join('\n'),
        ),
      ),
    )
    .sort();
}
