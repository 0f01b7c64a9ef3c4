import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NodeProcess } from '../../../main/node/remote-node.ts';

const ENTRY = fileURLToPath(new URL('../../../dist/main/node.js', import.meta.url));
const PARENT_PORT = new URL('parent-port.mjs', import.meta.url).href;

/** The built process of the node, as Electron's `utilityProcess.fork` would start it. */
export interface ForkedNode extends NodeProcess {
  readonly child: ChildProcess;
}

/** @param imports further modules, loaded in it before its own */
export function forkNode(imports: readonly string[] = []): ForkedNode {
  if (!existsSync(ENTRY)) throw new Error('There is no build in dist/. Run npm run build first.');
  const execArgv = [PARENT_PORT, ...imports].flatMap((module) => ['--import', module]);
  const child = fork(ENTRY, [], { execArgv, serialization: 'advanced' });
  return {
    child,
    get pid() {
      return child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
    // To one that has ended nothing is said, and nobody is told.
    postMessage(message) {
      if (child.connected) child.send(message as object);
    },
    on: (_message, listener) => child.on('message', listener),
    once(
      event: 'exit' | 'error',
      listener: ((code: number) => void) & ((type: string, location: string) => void),
    ) {
      // Only Electron tells of an error of the engine.
      if (event === 'exit') child.once('exit', (code) => listener(code ?? 1));
    },
    kill: () => child.kill(),
  };
}
