import type { AppEvent } from '../../server/contract/app/overview.ts';

/** The node's event stream: changes are shown within a second. */
export interface Live {
  /**
   * `starting` until the first event, `reopening` while the node reopens its listeners for new settings,
   * `away` while it doesn't answer, `signed-out` if the session is invalid.
   */
  readonly status: 'starting' | 'connected' | 'reopening' | 'away' | 'signed-out';
  /** Calls back on every event; after an interruption `hello` comes first: reload everything then. */
  on(listener: (event: AppEvent) => void): () => void;
  /** Receives the status of every answer, so that a lost session is noticed at once. */
  heard(status: number): void;
  /** Reloads everything, as after an interruption. */
  renew(): void;
  start(): void;
  stop(): void;
}

const TYPES: readonly AppEvent['type'][] = [
  'hello',
  'overview',
  'partner',
  'list',
  'views',
  'lists',
  'settings',
  'reopening',
  'progress',
  'activity',
];
/** Grace period before an interruption is shown: a restart of the node is shorter. */
const PATIENCE_MS = 1500;
/** Grace period after it announced to reopen its listeners: enough for a slow computer. */
const REOPENING_MS = 20_000;
const RETRY_MS = 1000;

/** Creates the event stream from `url`, closed until `start`. @param open opens a connection */
export function createLive(url: string, open: (url: string) => EventSource): Live {
  const listeners = new Set<(event: AppEvent) => void>();
  let status = $state<Live['status']>('starting');
  let source: EventSource | undefined;
  let sayAway: ReturnType<typeof setTimeout> | undefined;
  let isReopening = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Handles an event of the stream: the node is connected; passes it to all listeners. */
  function received(message: MessageEvent<string>): void {
    const event = JSON.parse(message.data) as AppEvent;
    if (event.type === 'reopening') isReopening = true;
    if (event.type === 'hello') isReopening = false;
    clearTimeout(sayAway);
    sayAway = undefined;
    status = 'connected';
    for (const listener of [...listeners]) listener(event);
  }

  /**
   * Handles an interruption: shows it as `away` after a grace period, and reopens a stream that the browser has
   * closed.
   */
  function lost(): void {
    if (isReopening && status === 'connected') status = 'reopening';
    sayAway ??= setTimeout(
      () => {
        if (status !== 'signed-out') status = 'away';
      },
      isReopening ? REOPENING_MS : PATIENCE_MS,
    );
    // The browser closes a refused stream for good; an interrupted one reconnects by itself.
    if (source?.readyState === EventSource.CLOSED) {
      clearTimeout(retry);
      retry = setTimeout(connect, RETRY_MS);
    }
  }

  /** Opens the stream, and closes the previous one. */
  function connect(): void {
    source?.close();
    source = open(url);
    for (const type of TYPES) source.addEventListener(type, received);
    source.addEventListener('error', lost);
  }

  return {
    get status() {
      return status;
    },
    /** Adds a listener for all events. Returns a function that removes it. */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Handles the status of an answer: 401 means signed out, 0 that the node doesn't answer. */
    heard(answer) {
      if (answer === 401) status = 'signed-out';
      if (answer === 0) lost();
    },
    /** Sends all listeners a `hello`, so that they reload everything. */
    renew() {
      for (const listener of [...listeners]) listener({ type: 'hello', version: '' });
    },
    start: connect,
    /** Closes the stream and cancels all timers. */
    stop() {
      clearTimeout(sayAway);
      clearTimeout(retry);
      source?.close();
    },
  };
}
