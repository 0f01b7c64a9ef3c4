import type { Dialogs } from '../window/dialogs.ts';
import type { NodeRunner } from './node-runner.ts';
import { writeReport } from './reports.ts';

/** Resolves when the user has seen the message and the choice is carried out. */
export type CrashResponse = (
  outcome: 'restarted' | 'gave-up',
  error: unknown,
  during: string,
) => Promise<void>;

/**
 * Returns the function that handles a crash of the node: writes a report, then reloads the page and tells that the
 * node runs again, or asks whether to retry or quit.
 */
export function createCrashResponse(deps: {
  dataDir: string;
  dialogs: Dialogs;
  runner: () => Pick<NodeRunner, 'retry'>;
  /** Reloads the page, which shows the old node's data. */
  reloadPage: () => void;
  /** Shows in the tray that nothing runs. */
  showDown: () => void;
  quit: () => void;
}): CrashResponse {
  const { dialogs } = deps;
  return async function tell(outcome, error, during) {
    const report = await writeReport(deps.dataDir, error, during);
    if (outcome === 'restarted') {
      deps.reloadPage();
      await dialogs.restarted(report);
      return;
    }
    deps.showDown();
    if ((await dialogs.gaveUp(error, report)) === 'quit') {
      deps.quit();
      return;
    }
    try {
      await deps.runner().retry();
    } catch (again) {
      await tell('gave-up', again, 'trying again');
    }
  };
}
