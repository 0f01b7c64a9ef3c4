import { resolve } from 'node:path';
import { plainName } from '../base/plain-name.ts';
import { errorBody } from '../contract/common.ts';
import { readUserKey } from '../federation/partners/user-key.ts';
import { createLog, openLogFiles } from '../node/log.ts';
import { FootbridgeNode } from '../node/node.ts';
import { windowAddress } from '../store/files/lock.ts';
import { CommandFailure } from './failure.ts';
import { onStopSignals } from './shutdown-signals.ts';

export interface LocalNode {
  call(method: string, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response>;
}

const TOKEN_MS = 600_000;

/**
 * Runs `work` with this data folder's running node, or one started for it that contacts no partner. Throws
 * `CommandFailure` if `FOOTBRIDGE_STORE` names a database or the command is stopped, `StoreError` `locked` if a node on
 * another computer uses the folder. A started one is stopped at the end.
 */
export async function withNode<T>(data: string, work: (node: LocalNode) => Promise<T>): Promise<T> {
  if ((process.env.FOOTBRIDGE_STORE ?? '') !== '')
    throw new CommandFailure(
      'FOOTBRIDGE_STORE names an office in a database, and this command works with one in a data folder only. Use the window of the process that serves it, or its interface. If the one in the data folder is meant, unset FOOTBRIDGE_STORE.',
      2,
    );
  const dataDir = resolve(data);
  const token = async (): Promise<string> => (await readUserKey(dataDir)).issue('admin', TOKEN_MS);
  const running = await windowAddress(dataDir);
  if (running !== undefined) return work(localNode(running, await token()));

  const files = await openLogFiles(dataDir);
  const node = new FootbridgeNode({ dataDir, port: 0, windowPort: 0, sync: false, log: createLog(files) });
  const stop = new AbortController();
  const ignoreSignals = onStopSignals(() => stop.abort());
  const stopped = rejectWhenStopped(stop.signal);
  stopped.catch(() => undefined);
  try {
    const { window } = await node.start();
    return await Promise.race([work(localNode(new URL(window).origin, await token())), stopped]);
  } finally {
    await node.stop();
    ignoreSignals();
    files.end();
  }
}

/** Rejects with CommandFailure when the signal aborts; never resolves, nor rejects for a signal aborted before. */
function rejectWhenStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const failure = new CommandFailure('The command was stopped before it was done. Run it again.');
    signal.addEventListener('abort', () => reject(failure), { once: true });
  });
}

/**
 * Returns the interface of the node at this address, called with this token. Each call throws `CommandFailure` unless
 * answered by 2xx.
 */
export function localNode(base: string, token: string): LocalNode {
  return {
    /**
     * Sends a request and returns its 2xx `Response`, unread; a text body is JSON, bytes are a file. Throws
     * `CommandFailure` if the node doesn't answer, or with its refusal's text and code.
     */
    async call(method, path, body) {
      let answer: Response;
      try {
        answer = await fetch(base + path, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': typeof body === 'string' ? 'application/json' : 'text/csv',
          },
          ...(body ? { body } : {}),
        });
      } catch (error) {
        throw new CommandFailure(
          'The node that uses this data folder does not answer. Wait a moment, or stop it and try again.' +
            (error instanceof Error ? ` (${error.message})` : ''),
        );
      }
      if (!answer.ok) throw await failureOf(answer);
      return answer;
    },
  };
}

/** Returns an error answer as CommandFailure; texts that are no refusal of ours are cut at 500 characters. */
async function failureOf(answer: Response): Promise<CommandFailure> {
  const text = await answer.text();
  try {
    const { error } = errorBody.parse(JSON.parse(text));
    return new CommandFailure(plainName(error.message), 1, error.code);
  } catch {
    // Another program's answer: printed as it is.
    return new CommandFailure(`The node answered ${answer.status}: ${plainName(text.slice(0, 500))}`);
  }
}
