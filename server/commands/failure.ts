/** What ends a command with a plain message on standard error and this exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;
  /** The code by which the node refused, where it was the node. */
  readonly code: string | undefined;
  /** @param exitCode 1: it could not be done; 2: the command line was wrong */
  constructor(message: string, exitCode: 1 | 2 = 1, code?: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.code = code;
  }
}
