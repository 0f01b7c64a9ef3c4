/** A short message at the window's edge, read aloud by screen readers. */
export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface Notices {
  readonly all: readonly Notice[];
  say(text: string, action?: Notice['action']): void;
  /** An error stays until it is closed. */
  fail(text: string, action?: Notice['action']): void;
  close(id: number): void;
  /** Keeps every message while it is being read (pointer or focus on it). */
  hold(on: boolean): void;
}

const SHOWN_MS = 8000;
const MOST = 4;

export function createNotices(): Notices {
  let all = $state.raw<readonly Notice[]>([]);
  let next = 1;
  let held = false;
  const due = new Map<number, ReturnType<typeof setTimeout>>();

  function close(id: number): void {
    clearTimeout(due.get(id));
    due.delete(id);
    all = all.filter((notice) => notice.id !== id);
  }

  function closeLater(id: number): void {
    due.set(
      id,
      setTimeout(() => (held ? closeLater(id) : close(id)), SHOWN_MS),
    );
  }

  function show(tone: Notice['tone'], text: string, action?: Notice['action']): void {
    const id = next++;
    const same = all.find((notice) => notice.text === text && notice.tone === tone);
    if (same) close(same.id);
    all = [...all, { id, tone, text, ...(action ? { action } : {}) }].slice(-MOST);
    if (tone === 'good') closeLater(id);
  }

  return {
    get all() {
      return all;
    },
    say: (text, action) => show('good', text, action),
    fail: (text, action) => show('bad', text, action),
    close,
    hold: (on) => (held = on),
  };
}
