import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What went over the line in one direction of one connection. */
export interface Recorded {
  readonly from: 'caller' | 'server';
  readonly bytes: Buffer;
}

/** Stands between two nodes as a listening stranger would, and writes down every byte. */
export interface RecordingProxy {
  readonly port: number;
  /** One entry for each direction of each connection that said something. */
  recorded(): Recorded[];
  /** Ends the connections that are there; new ones are taken. */
  cut(): void;
  /** From now on, each connection ends after so many bytes from the server; never, without a number. */
  cutAnswersAfter(bytes: number | undefined): void;
  close(): Promise<void>;
}

/** Forwards connections from a free loopback port to `target`, which may change from one connection to the next. */
export async function startRecordingProxy(target: () => number): Promise<RecordingProxy> {
  const lines: { from: Recorded['from']; chunks: Buffer[] }[] = [];
  const sockets = new Set<Socket>();
  let most: number | undefined;
  const record = (from: Recorded['from'], socket: Socket): void => {
    const line = { from, chunks: [] as Buffer[] };
    lines.push(line);
    socket.on('data', (chunk: Buffer) => line.chunks.push(chunk));
  };
  const server = createServer((caller) => {
    const onward = connect(target(), '127.0.0.1');
    record('caller', caller);
    record('server', onward);
    onward.on('data', () => {
      if (most !== undefined && onward.bytesRead > most) caller.destroy();
    });
    for (const [one, other] of [
      [caller, onward],
      [onward, caller],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    recorded: () =>
      lines.flatMap(({ from, chunks }) =>
        chunks.length > 0 ? [{ from, bytes: Buffer.concat(chunks) }] : [],
      ),
    cutAnswersAfter(bytes) {
      most = bytes;
      sockets.forEach((socket) => socket.destroy());
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
