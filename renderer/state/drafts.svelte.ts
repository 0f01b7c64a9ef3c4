import type { GridRow } from '../../server/contract/app/lists.ts';
import type { RowValues } from '../api/lists.ts';

/** A value that the node rejected. */
export interface RejectedInput {
  /** It is undefined for a row that isn't created yet. */
  readonly row: GridRow | undefined;
  readonly fieldID: string;
  readonly values: readonly string[];
  readonly problem: string;
  /** The row was deleted meanwhile. */
  readonly isDeleted: boolean;
}

/** Input into a list that the node doesn't have yet. */
export interface Draft {
  /** Values in the form for a new row. */
  readonly newRow: RowValues;
  readonly rejected: readonly RejectedInput[];
}

const NOTHING: Draft = { newRow: {}, rejected: [] };

const PREFIX = 'footbridge.draft.';

const hasNewRow = ({ newRow }: Draft): boolean => Object.values(newRow).some((values) => values.length > 0);

/** Keeps unsaved input by list in `localStorage`, so that it survives leaving the list, a reload and a quit. */
export class Drafts {
  #known = $state.raw<Readonly<Record<string, Draft>>>({});

  constructor() {
    // Once each, so that an input keeps its identity.
    const read: Record<string, Draft> = {};
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX)) read[key.slice(PREFIX.length)] = readDraft(key);
    this.#known = read;
  }

  of(moduleID: string): Draft {
    return this.#known[moduleID] ?? NOTHING;
  }

  hasNewRow(moduleID: string): boolean {
    return hasNewRow(this.of(moduleID));
  }

  /** Keeps a rejected input, in place of an earlier one in the same cell. */
  reject(moduleID: string, input: RejectedInput): void {
    const others = this.of(moduleID).rejected.filter((other) => !input.row || !isSameCell(other, input));
    this.change(moduleID, { rejected: [...others, input] });
  }

  dismiss(moduleID: string, input: RejectedInput): void {
    const { rejected } = this.of(moduleID);
    if (rejected.includes(input))
      this.change(moduleID, { rejected: rejected.filter((other) => other !== input) });
  }

  change(moduleID: string, change: Partial<Draft>): void {
    const draft = { ...this.of(moduleID), ...change };
    this.#known = { ...this.#known, [moduleID]: draft };
    try {
      if (!hasNewRow(draft) && draft.rejected.length === 0) localStorage.removeItem(PREFIX + moduleID);
      else localStorage.setItem(PREFIX + moduleID, JSON.stringify(draft));
    } catch {
      // Without room there, it is kept until the window closes.
    }
  }
}

const isSameCell = (one: RejectedInput, other: RejectedInput): boolean =>
  one.row?.recordID === other.row?.recordID && one.fieldID === other.fieldID;

/** Returns a stored draft; an empty one if it isn't readable. */
function readDraft(key: string): Draft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return isDraft(stored) ? stored : NOTHING;
  } catch {
    return NOTHING;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

function isDraft(stored: unknown): stored is Draft {
  if (!isObject(stored) || !('newRow' in stored) || !('rejected' in stored)) return false;
  const { newRow, rejected } = stored;
  if (!isObject(newRow) || !Object.values(newRow).every(isTexts) || !Array.isArray(rejected)) return false;
  return rejected.every(
    (input: unknown) =>
      isObject(input) &&
      'fieldID' in input &&
      'problem' in input &&
      typeof input.problem === 'string' &&
      'values' in input &&
      isTexts(input.values),
  );
}
