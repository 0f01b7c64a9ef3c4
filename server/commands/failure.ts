import { errorCode } from '../store/files/disk-steps.ts';

/** Returns why a file named on the command line can't be read or written; for usual errors also what to do. */
export function fileProblem(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'There is no such file or folder. Check the path.';
    case 'EISDIR':
      return 'It is a folder. Name a file.';
    case 'EACCES':
    case 'EPERM':
      return 'You may not use it. Check its permissions.';
    case 'EROFS':
      return 'The disk is read-only. Choose another place.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full. Make room on it.';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

export class CommandFailure extends Error {
  readonly exitCode: number;
  /** The node's refusal's code, if it was the node. */
  readonly code: string | undefined;
  /** `exitCode` 1: it couldn't be done; 2: the command line was wrong. */
  constructor(message: string, exitCode: 1 | 2 = 1, code?: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.code = code;
  }
}
