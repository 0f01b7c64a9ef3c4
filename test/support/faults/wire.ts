import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A cable between two nodes, which can be pulled. */
export interface Wire {
  readonly port: number;
  /** Ends the connections that are there and refuses new ones, as a computer does whose network is off. */
  cut(): void;
  /** Swallows whatever is said, as a network does that has lost the way: nobody is told that nobody listens. */
  swallow(): void;
  /** Ends each new connection after so many bytes, as a firewall does that lets through only what is small. */
  cutEachAfter(bytes: number): void;
  /** All goes through again; what was swallowed comes late. */
  mend(): void;
  close(): Promise<void>;
}

/** @param target the port at its other end, as of now */
export async function startWire(target: () => number): Promise<Wire> {
  let state: 'whole' | 'cut' | 'swallowing' = 'whole';
  let mostBytes = Infinity;
  const ways = new Map<Socket, Socket>();
  const server = createServer((caller) => {
    if (state === 'cut') {
      caller.destroy();
      return;
    }
    const onward = connect(target(), '127.0.0.1');
    let bytes = 0;
    const limit = mostBytes;
    onward.on('data', (part) => {
      bytes += part.length;
      if (bytes > limit) caller.destroy();
    });
    for (const [one, other] of [
      [caller, onward],
      [onward, caller],
    ] as const) {
      ways.set(one, other);
      if (state === 'whole') one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        ways.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const socket of ways.keys()) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      endAll();
    },
    swallow() {
      state = 'swallowing';
      for (const [one, other] of ways) one.unpipe(other).pause();
    },
    cutEachAfter(bytes) {
      mostBytes = bytes;
      endAll();
    },
    mend() {
      if (state === 'swallowing') for (const [one, other] of ways) one.pipe(other);
      state = 'whole';
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}
