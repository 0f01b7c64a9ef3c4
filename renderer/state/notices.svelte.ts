import { NodeError } from '../api/http.ts';
import type { Translate } from '../text/catalogue.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly action?: {
    readonly label: string;
    readonly run: () => void;
    /** Undo log step that it undoes. */
    readonly undoes?: string;
  };
}

export interface Notices {
  readonly all: readonly Notice[];
  /** Shows for 8 seconds; returns its id. */
  say(text: string, action?: Notice['action']): number;
  /** Shows an error for a minute, or until `closeErrors`. */
  fail(text: string, action?: Notice['action']): void;
  close(id: number): void;
  /** Closes those with this text: no longer true. */
  closeText(text: string): void;
  /** Closes this step's undo offer: it is undone. */
  closeUndo(stepID: string): void;
  /** Closes errors older than 2 seconds, as the user goes on. */
  closeErrors(): void;
  /** Keeps all while one has pointer or focus. */
  hold(on: boolean): void;
}

const SHOWN_MS = 8_000;
const ERROR_MS = 60_000;
/** Younger errors belong to the present operation. */
const READ_MS = 2_000;
const MAX_NOTICES = 4;

/** Creates the notices, which close after some time unless held; a fifth one replaces the oldest. */
export function createNotices(): Notices {
  let all = $state.raw<readonly Notice[]>([]);
  let next = 1;
  let held = false;
  const due = new Map<number, ReturnType<typeof setTimeout>>();
  const since = new Map<number, number>();

  /** Removes a notice and cancels its timer. */
  function close(id: number): void {
    clearTimeout(due.get(id));
    due.delete(id);
    since.delete(id);
    all = all.filter((notice) => notice.id !== id);
  }

  /** Starts a timer that closes the notice; while notices are held, it tries again every 8 seconds. */
  function closeLater(id: number, after: number): void {
    due.set(
      id,
      setTimeout(() => (held ? closeLater(id, SHOWN_MS) : close(id)), after),
    );
  }

  /**
   * Shows a notice, in place of one with the same text and tone, or of the oldest if there are many; returns its id.
   * It closes later, an error later than others.
   */
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
    closeText: (closed) => {
      for (const { id, text } of all) if (text === closed) close(id);
    },
    closeUndo: (stepID) => {
      for (const { id, action } of all) if (action?.undoes === stepID) close(id);
    },
    closeErrors: () => {
      for (const { id, tone } of all)
        if (tone === 'bad' && Date.now() - (since.get(id) ?? 0) >= READ_MS) close(id);
    },
    hold: (on) => (held = on),
  };
}

/** Malformed requests and missing rights have texts for scripts. */
const FOR_SCRIPTS = /^(?:window|request|auth|path|query|page|handshake|digest|row\.cursor)\b/;

type OwnWords =
  'error.no-answer' | 'error.not-loaded' | 'error.signed-out' | 'error.not-taken' | 'error.unknown';

/**
 * Returns the key of the window's own text for an error answer or none (status 0); undefined if the node's message is
 * for people.
 */
export function ownWords(status: number, code: string): OwnWords | undefined {
  if (status === 0) return code === 'window.not-saved' ? 'error.no-answer' : 'error.not-loaded';
  if (status === 401) return 'error.signed-out';
  if (code === 'request.too-large') return undefined;
  return FOR_SCRIPTS.test(code) ? (status < 500 ? 'error.not-taken' : 'error.unknown') : undefined;
}

/** Returns what happened and what to do, by the node's message or the window's own text. */
export function explain(problem: unknown, t: Translate): string {
  if (!(problem instanceof NodeError)) return t('error.unknown');
  const own = ownWords(problem.status, problem.code);
  return own === undefined ? problem.message : t(own);
}
