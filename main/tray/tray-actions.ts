import type { Logger } from 'pino';
import type { ShellNode } from '../shell/node-runner.ts';
import { routes, type Route } from '../window/routes.ts';
import { pauseEnd, type TrayAction } from './tray-menu.ts';

/**
 * Returns the function that performs a click in the tray menu. A refusal by the node is logged; the tray shows its
 * state anyway.
 */
export function createTrayActions(deps: {
  node: () => ShellNode | undefined;
  show: (route?: Route) => void;
  installUpdate: () => void;
  quit: () => void;
  now: () => number;
  log: Logger;
}): (action: TrayAction) => void {
  /** Logs a rejection. */
  const ask = (work: Promise<void> | undefined): void => {
    work?.catch((error: unknown) => deps.log.warn({ err: error }, 'tray'));
  };
  return (action) => {
    switch (action.do) {
      case 'open':
        deps.show();
        break;
      case 'settings':
        deps.show(routes.settings);
        break;
      case 'partner':
        deps.show(routes.partner(action.nodeID));
        break;
      case 'install-update':
        deps.installUpdate();
        break;
      case 'quit':
        deps.quit();
        break;
      case 'sync':
        ask(deps.node()?.syncAll());
        break;
      case 'pause':
        ask(deps.node()?.pauseAll(pauseEnd(action.for, deps.now())));
        break;
      case 'resume':
        ask(deps.node()?.resumeAll());
        break;
    }
  };
}
