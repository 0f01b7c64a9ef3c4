/** A short message at the foot of the window, announced by screen readers. */
export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface Notices {
  readonly all: readonly Notice[];
  /** Returns the id for closing it early. */
  say(text: string, action?: Notice['action']): number;
  /** An error stays for long, until it is closed or the user goes on (see {@link pass}). */
  fail(text: string, action?: Notice['action']): void;
  close(id: number): void;
  /** The user does the next thing: errors that could be read disappear. */
  pass(): void;
  /** Keeps all notices while pointer or focus is on one. */
  hold(on: boolean): void;
}

const SHOWN_MS = 8_000;
const ERROR_MS = 60_000;
/** Errors of the last moment belong to the present operation. */
const READ_MS = 2_000;
const MAX_NOTICES = 4;

/** Creates the notices: none at first, at most {@link MAX_NOTICES}. */
export function createNotices(): Notices {
  let all = $state.raw<readonly Notice[]>([]);
  let next = 1;
  let held = false;
  const due = new Map<number, ReturnType<typeof setTimeout>>();
  const since = new Map<number, number>();

  /** Removes a notice and its timer. */
  function close(id: number): void {
    clearTimeout(due.get(id));
    due.delete(id);
    since.delete(id);
    all = all.filter((notice) => notice.id !== id);
  }

  /** Schedules a notice's removal after so many milliseconds; postponed while notices are held. */
  function closeLater(id: number, after: number): void {
    due.set(
      id,
      setTimeout(() => (held ? closeLater(id, SHOWN_MS) : close(id)), after),
    );
  }

  /** Shows a notice, in place of one with the same text, and schedules its removal. Returns its id. */
  function show(tone: Notice['tone'], text: string, action?: Notice['action']): number {
    const id = next++;
    const same = all.find((notice) => notice.text === text && notice.tone === tone);
    if (same) close(same.id);
    all = [...all, { id, tone, text, ...(action ? { action } : {}) }].slice(-MAX_NOTICES);
    since.set(id, Date.now());
    closeLater(id, tone === 'good' ? SHOWN_MS : ERROR_MS);
    return id;
  }

  return {
    get all() {
      return all;
    },
    say: (text, action) => show('good', text, action),
    fail: (text, action) => void show('bad', text, action),
    close,
    pass: () => {
      for (const { id, tone } of all)
        if (tone === 'bad' && Date.now() - (since.get(id) ?? 0) >= READ_MS) close(id);
    },
    hold: (on) => (held = on),
  };
}
