import { homedir, networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { wildcardAddress } from '../base/loopback.ts';
import { startRelayHost, type RelayHost } from '../node/relay-host.ts';
import { formatRelayAddress } from '../routes/relay-address.ts';
import { stopOnSignal } from './shutdown-signals.ts';

export interface RelayOptions {
  readonly data?: string;
  readonly host?: string;
  readonly port: number;
  /** By which offices reach it. */
  readonly name?: string;
  readonly behindProxy: boolean;
  readonly open: boolean;
  readonly maxOffices?: number;
  /** In bytes a second, as is the total. */
  readonly ratePerOffice?: number;
  readonly rateTotal?: number;
  readonly json: boolean;
}

const COUNTS_MS = 3_600_000;

/** `footbridge relay`: runs a relay until a stop signal; prints its address, and counts hourly on standard error. */
export async function relay(options: RelayOptions): Promise<void> {
  const { behindProxy } = options;
  const host = await startRelayHost({
    dataDir: resolve(options.data ?? join(homedir(), 'footbridge-relay')),
    host: options.host ?? (behindProxy ? '127.0.0.1' : wildcardAddress()),
    port: options.port,
    behindProxy,
    isOpen: options.open,
    clock: systemClock,
    limits: {
      ...(options.maxOffices === undefined ? {} : { maxOffices: options.maxOffices }),
      ...(options.ratePerOffice === undefined ? {} : { bytesPerOffice: rateOf(options.ratePerOffice) }),
      ...(options.rateTotal === undefined ? {} : { bytesTotal: rateOf(options.rateTotal) }),
    },
  });
  const stopped = stopOnSignal(() => host.close());
  printRelayAddress(host, options);
  const counting = setInterval(() => {
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...host.counts() })}\n`);
  }, COUNTS_MS);
  await stopped;
  clearInterval(counting);
}

/** Returns a limit of bytes a second, with bursts of four seconds. */
const rateOf = (perSecond: number): { perSecond: number; burst: number } => ({
  perSecond,
  burst: 4 * perSecond,
});

/** Prints the relay's address, with the access key unless it is open, on standard output, as text or JSON. */
function printRelayAddress({ port, pin, accessKey }: RelayHost, options: RelayOptions): void {
  const address = formatRelayAddress({
    host: options.name ?? firstIPv4Address() ?? 'relay.example.org',
    port: options.behindProxy ? 443 : port,
    path: '',
    ...(pin === undefined ? {} : { pin }),
    ...(accessKey === undefined ? {} : { accessKey }),
  });
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ event: 'ready', address, port, pid: process.pid })}\n`);
    return;
  }
  const name =
    options.name === undefined ? ' Replace its host by the public name or address of this computer.' : '';
  const proxy = options.behindProxy
    ? ` Point the reverse proxy at this port and let it pass WebSockets.`
    : '';
  process.stdout.write(
    `The relay is running on port ${port}. Give this address to the offices that may use it:\n\n  ${address}\n\n` +
      `${accessKey === undefined ? 'Any office that knows it may use it.' : 'It contains the access key.'}${name}${proxy}\nCtrl+C stops it.\n`,
  );
}

/** Returns this computer's first IPv4 address but loopback, if any. */
function firstIPv4Address(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
