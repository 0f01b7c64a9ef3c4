import type { Words } from '../../../words/said.ts';

/** A value as stored, or why it can't be, in words that follow the column's name: "is no number". */
export type Checked = { readonly value: string } | { readonly problem: Words };

export const accept = (value: string): Checked => ({ value });
export const refuse = (problem: Words): Checked => ({ problem });
