import type { Electron } from '../electron.ts';
import type { ShellNode } from './node-runner.ts';

/** Suspends and resumes the node with the computer, and quits the app before a shutdown (Linux, macOS). */
export function onPowerEvents(deps: {
  electron: Electron<'powerMonitor'>;
  node: () => Pick<ShellNode, 'suspend' | 'resume'> | undefined;
  quit: () => void;
}): void {
  const { powerMonitor } = deps.electron;
  powerMonitor.on('suspend', () => deps.node()?.suspend());
  powerMonitor.on('resume', () => deps.node()?.resume());
  // Holding the event gives the node two seconds; Windows notifies the window instead.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    deps.quit();
  });
}
