import type { RowValues } from '../api/lists.ts';

/** Input into a list that the node doesn't have yet. */
export interface Draft {
  /** Values in the form for a new row. */
  readonly newRow: RowValues;
}

const NOTHING: Draft = { newRow: {} };

const keyOf = (moduleID: string): string => `footbridge.draft.${moduleID}`;

const isEmpty = ({ newRow }: Draft): boolean => Object.values(newRow).every((values) => values.length === 0);

/** Keeps unsaved input by list in `localStorage`, so that it survives leaving the list, a reload and a quit. */
export class Drafts {
  #known = $state.raw<Readonly<Record<string, Draft>>>({});

  of(moduleID: string): Draft {
    return this.#known[moduleID] ?? read(moduleID);
  }

  has(moduleID: string): boolean {
    return !isEmpty(this.of(moduleID));
  }

  change(moduleID: string, change: Partial<Draft>): void {
    const draft = { ...this.of(moduleID), ...change };
    this.#known = { ...this.#known, [moduleID]: draft };
    try {
      if (isEmpty(draft)) localStorage.removeItem(keyOf(moduleID));
      else localStorage.setItem(keyOf(moduleID), JSON.stringify(draft));
    } catch {
      // Without room there, it is kept until the window closes.
    }
  }
}

function read(moduleID: string): Draft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(moduleID)) ?? '{}');
    return typeof stored === 'object' ? { ...NOTHING, ...stored } : NOTHING;
  } catch {
    return NOTHING;
  }
}
