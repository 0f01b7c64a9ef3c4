import { connect, type TLSSocket } from 'node:tls';
import { firstLine, helloLine, linkIn, sharedKeyRules } from './hello.ts';
import type { InletPlace } from './inlet-place.ts';

const CONNECT_MS = 3_000;
/** A computer that lost its power says nothing: so soon it is found out. */
export const ALIVE_MS = 10_000;

type Place = Pick<InletPlace, 'host' | 'port'>;

/** A connection to the process that serves. @throws Error that says why there is none */
export function reachInlet({ host, port }: Place, key: Buffer): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const there = connect({ host, port, ...sharedKeyRules(key).client });
    const timer = setTimeout(
      () => there.destroy(new Error(`${host} port ${port} does not answer`)),
      CONNECT_MS,
    );
    there.setKeepAlive(true, ALIVE_MS);
    there.setNoDelay(true);
    there.once('secureConnect', () => {
      clearTimeout(timer);
      there.off('error', reject);
      there.on('error', () => there.destroy());
      resolve(there);
    });
    there.once('error', reject);
    there.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`${host} port ${port} closed the connection`));
    });
  });
}

/** A one-time link into the window at this base address, made by the one that serves. @throws as {@link reachInlet} */
export async function askForLink(place: Place, key: Buffer, linkAt: string): Promise<string> {
  const there = await reachInlet(place, key);
  try {
    there.write(helloLine({ linkAt }));
    return linkIn(await firstLine(there, CONNECT_MS));
  } finally {
    there.destroy();
  }
}
