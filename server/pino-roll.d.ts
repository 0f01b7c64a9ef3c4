declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events';
  import type { DestinationStream } from 'pino';

  interface RollOptions {
    file: string;
    extension?: string;
    size?: string;
    limit?: { count: number; removeOtherLogFiles?: boolean };
    mode?: number;
    sync?: boolean;
    maxLength?: number;
  }
  /** A stream into numbered files; the part of the package's interface that is used here. */
  export default function roll(
    options: RollOptions,
  ): Promise<DestinationStream & EventEmitter & { end(): void }>;
}
