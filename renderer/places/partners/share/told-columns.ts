import type { Share } from '../../../../server/contract/app/sharing.ts';

interface Heading {
  readonly name: string;
  readonly label: string;
}

export const headingOf = ({ label, name }: Heading): string => label || name;

/** Headings that a live server has of the shared columns, where ours are others by now. */
export function earlierHeadings({ told = [], fields, fieldIDs }: Share): string[] {
  return told.flatMap((column) => {
    const field = fields[fieldIDs.indexOf(column.fieldID)];
    return field && headingOf(field) !== headingOf(column) ? [headingOf(column)] : [];
  });
}

/** Those of the columns that a live server was not told of, and doesn't get while this share lasts. */
export const untoldColumns = <C extends { readonly fieldID: string }>(
  { told }: Pick<Share, 'told'>,
  columns: readonly C[],
): C[] => (told ? columns.filter(({ fieldID }) => told.every((column) => column.fieldID !== fieldID)) : []);

/** Whether a live server has the shared columns otherwise than they are here. */
export const isToldOtherwise = (share: Share): boolean =>
  earlierHeadings(share).length > 0 ||
  untoldColumns(
    share,
    share.fieldIDs.map((fieldID) => ({ fieldID })),
  ).length > 0;
