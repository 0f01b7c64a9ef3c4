import type { Electron } from '../electron.ts';
import type { ShellNode } from './node-runner.ts';

/** Lets the node sleep and wake with the computer, and stop before it shuts down. */
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
