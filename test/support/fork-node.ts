import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NodeProcess } from '../../main/node/remote-node.ts';

const ENTRY = fileURLToPath(new URL('../../dist/main/node.js', import.meta.url));
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
    // To one that has ended nothing is said, and nobody is told.
    postMessage(message) {
      if (child.connected) child.send(message as object);
    },
    on: (_message, listener) => child.on('message', listener),
    once: (_exit, listener) => child.once('exit', (code) => listener(code ?? 1)),
    kill: () => child.kill(),
  };
}
