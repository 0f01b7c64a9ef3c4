import type { Electron } from '../electron.ts';
import type { ShellNode } from './node-runner.ts';

/**
 * Registers listeners that suspend and resume the node with the computer, and quit the app before the computer
 * shuts down.
 */
export function onPowerEvents(deps: {
  electron: Electron<'powerMonitor'>;
  node: () => Pick<ShellNode, 'suspend' | 'resume'> | undefined;
  quit: () => void;
}): void {
  const { powerMonitor } = deps.electron;
  powerMonitor.on('suspend', () => deps.node()?.suspend());
  powerMonitor.on('resume', () => deps.node()?.resume());
  // Holding the event gives the node its two seconds (Linux, macOS); Windows notifies the window instead.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    deps.quit();
  });
}
