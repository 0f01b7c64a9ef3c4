import type { Words } from '../../../words/said.ts';

/** As stored, or why not, in words after the column's name: "is no number". */
export type Checked = { readonly value: string } | { readonly problem: Words };

export const accept = (value: string): Checked => ({ value });
export const refuse = (problem: Words): Checked => ({ problem });
