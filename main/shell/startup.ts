export interface Phase {
  readonly name: string;
  run(): Promise<void> | void;
}

type StartEnd =
  | { readonly end: 'started' }
  | { readonly end: 'cancelled'; readonly during: Phase }
  | { readonly end: 'failed'; readonly during: Phase; readonly error: unknown };

/** Runs the phases until one throws, or `cancelled` returns true before one. Never rejects. */
export async function runPhases(phases: readonly Phase[], cancelled: () => boolean): Promise<StartEnd> {
  for (const phase of phases) {
    if (cancelled()) return { end: 'cancelled', during: phase };
    try {
      await phase.run();
    } catch (error) {
      return { end: 'failed', during: phase, error };
    }
  }
  return { end: 'started' };
}
