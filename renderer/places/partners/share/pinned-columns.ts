import type { Share } from '../../../../server/contract/app/sharing.ts';

interface Heading {
  readonly name: string;
  readonly label: string;
}

export const headingOf = ({ label, name }: Heading): string => label || name;

/** Returns a list's name at a live server; undefined if the same here. */
export const nameThere = ({ pinnedName, listName }: Share): string | undefined =>
  pinnedName === listName ? undefined : pinnedName;

/** Returns a live server's headings of columns that we renamed since. */
export function earlierHeadings({ pinned = [], fields, fieldIDs }: Share): string[] {
  return pinned.flatMap((column) => {
    const field = fields[fieldIDs.indexOf(column.fieldID)];
    return field && headingOf(field) !== headingOf(column) ? [headingOf(column)] : [];
  });
}

/** Returns headings of columns whose kind we changed since a live server got them, unless it got text. */
export function retypedColumns({ pinned = [], fields, fieldIDs }: Share): string[] {
  return pinned.flatMap(({ fieldID, kind }) => {
    const field = fields[fieldIDs.indexOf(fieldID)];
    return field && kind !== 'String' && kind !== field.kind ? [headingOf(field)] : [];
  });
}

/** Returns columns that a live server doesn't get while this share lasts; none for a share without pinned columns. */
export const unpinnedColumns = <C extends { readonly fieldID: string }>(
  { pinned }: Pick<Share, 'pinned'>,
  columns: readonly C[],
): C[] =>
  pinned ? columns.filter(({ fieldID }) => pinned.every((column) => column.fieldID !== fieldID)) : [];

/** Returns whether a live server has other headings, kinds or columns than are shared now. */
export const serverHasEarlierColumns = (share: Share): boolean =>
  earlierHeadings(share).length > 0 ||
  retypedColumns(share).length > 0 ||
  unpinnedColumns(
    share,
    share.fieldIDs.map((fieldID) => ({ fieldID })),
  ).length > 0;
