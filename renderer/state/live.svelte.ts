import type { AppEvent } from '../../server/contract/app/overview.ts';

export interface Live {
  /**
   * `starting`: before the first event; `reopening`: the node's listeners restart for new settings; `away`:
   * no answer; `signed-out`: no valid session.
   */
  readonly status: 'starting' | 'connected' | 'reopening' | 'away' | 'signed-out';
  on(listener: (event: AppEvent) => void): () => void;
  reportStatus(status: number): void;
  emitHello(): void;
  start(): void;
  /** Closes the stream and cancels the timers. */
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
/** Shown interruptions are longer: the node restarts faster. */
const PATIENCE_MS = 1500;
/** For slow computers restarting listeners. */
const REOPENING_MS = 20_000;
const RETRY_MS = 1000;

/** Creates the stream of the node's events; it is closed until `start`, and then opened again whenever it is lost. */
export function createLive(url: string, open: (url: string) => EventSource): Live {
  const listeners = new Set<(event: AppEvent) => void>();
  let status = $state<Live['status']>('starting');
  let source: EventSource | undefined;
  let sayAway: ReturnType<typeof setTimeout> | undefined;
  let isReopening = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Shows the node as connected, and passes the event to all listeners. `reopening` announces an interruption. */
  function passOn(message: MessageEvent<string>): void {
    const event = JSON.parse(message.data) as AppEvent;
    if (event.type === 'reopening') isReopening = true;
    if (event.type === 'hello') isReopening = false;
    clearTimeout(sayAway);
    sayAway = undefined;
    status = 'connected';
    for (const listener of [...listeners]) listener(event);
  }

  /**
   * Waits some seconds, then shows that the node is away; after an announcement shows `reopening` at once, and waits
   * longer. Opens the stream again if the browser closed it for good.
   */
  function onInterruption(): void {
    if (isReopening && status === 'connected') status = 'reopening';
    sayAway ??= setTimeout(
      () => {
        if (status !== 'signed-out') status = 'away';
      },
      isReopening ? REOPENING_MS : PATIENCE_MS,
    );
    if (source?.readyState === EventSource.CLOSED) {
      clearTimeout(retry);
      retry = setTimeout(connect, RETRY_MS);
    }
  }

  /** Opens the stream, in place of a previous one. */
  function connect(): void {
    source?.close();
    source = open(url);
    for (const type of TYPES) source.addEventListener(type, passOn);
    source.addEventListener('error', onInterruption);
  }

  return {
    get status() {
      return status;
    },
    /** Adds a listener; returns what removes it. `hello` comes first after an interruption: then reload everything. */
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /**
     * Takes an answer's HTTP status into account: 401 shows a lost session at once, 0 is an interruption, and any other
     * while the stream is open ends one.
     */
    reportStatus(answer) {
      if (answer === 401) status = 'signed-out';
      if (answer === 0) onInterruption();
      // An open stream announces no interruption, and no end of one.
      else if (source?.readyState === EventSource.OPEN) {
        clearTimeout(sayAway);
        sayAway = undefined;
        if (status === 'away') status = 'connected';
      }
    },
    /** Passes a `hello` to all listeners, which reload everything. */
    emitHello() {
      for (const listener of [...listeners]) listener({ type: 'hello', version: '' });
    },
    start: connect,
    /** Closes the stream and cancels the timers. */
    stop() {
      clearTimeout(sayAway);
      clearTimeout(retry);
      source?.close();
    },
  };
}
