import type { Dialogs } from '../window/dialogs.ts';
import type { NodeRunner } from './node-runner.ts';
import { writeReport } from './reports.ts';

/** Resolves when the user has heard of it, and what they chose is done. */
export type CrashResponse = (
  outcome: 'restarted' | 'gave-up',
  error: unknown,
  during: string,
) => Promise<void>;

/** Tells the user of a crash of the node: that it runs again, or that it does not and what can be done. */
export function createCrashResponse(deps: {
  dataDir: string;
  dialogs: Dialogs;
  runner: () => Pick<NodeRunner, 'retry'>;
  /** The page is loaded anew, since what it shows is of the old node. */
  reloadPage: () => void;
  /** Nothing runs any more, and the tray says so. */
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
