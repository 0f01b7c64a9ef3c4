import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';

export interface Gateway {
  readonly address: string;
  readonly ownAddress: string;
  readonly network: string;
}

const COMMAND_MS = 3_000;

/**
 * Returns the default IPv4 router with our address towards it; undefined without one, or if it isn't in a network of
 * this computer.
 */
export async function findDefaultGateway(): Promise<Gateway | undefined> {
  const address = process.platform === 'linux' ? await readLinuxGateway() : await readNetstatGateway();
  if (address === undefined || !isIPv4(address)) return undefined;
  const ownAddress = await addressTowards(address);
  const network = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((own) => own.address === ownAddress)?.cidr;
  if (ownAddress === undefined || network == null) return undefined;
  const gateway = { address, ownAddress, network };
  return isInNetwork(address, gateway) ? gateway : undefined;
}

/** Returns whether an IPv4 address is in the router's network. */
function isInNetwork(address: string, { network }: Pick<Gateway, 'network'>): boolean {
  return isIPv4(address) && ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(network));
}

/**
 * Reads the default router's address on Linux from `/proc/net/route`, which has it in little-endian hex; undefined
 * without one.
 */
async function readLinuxGateway(): Promise<string | undefined> {
  const table = await readFile('/proc/net/route', 'utf8').catch(() => '');
  const [, hex] = /^\S+\t0{8}\t([\dA-F]{8})\t\d*[1357]?\d*\t/m.exec(table) ?? [];
  if (hex === undefined || hex === '00000000') return undefined;
  return [...Buffer.from(hex, 'hex')].reverse().join('.');
}

/** Reads the default router's address on macOS and Windows from `netstat`; undefined without one. */
async function readNetstatGateway(): Promise<string | undefined> {
  const run = promisify(execFile);
  const args = process.platform === 'win32' ? ['-rn'] : ['-rn', '-f', 'inet'];
  const { stdout } = await run('netstat', args, { timeout: COMMAND_MS, windowsHide: true }).catch(() => ({
    stdout: '',
  }));
  return gatewayInTable(stdout);
}

/** Returns the default router's address in the output of `netstat -rn`, if any. */
export function gatewayInTable(table: string): string | undefined {
  return /^\s*(?:default|0\.0\.0\.0)\s+(?:0\.0\.0\.0\s+)?(\d{1,3}(?:\.\d{1,3}){3})\s/m.exec(table)?.[1];
}

/** Returns the own address from which the system would send to `address`. Sends nothing. Undefined without a way. */
function addressTowards(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const closeAndResolve = (own?: string): void => {
      socket.close();
      resolve(own);
    };
    socket.once('error', () => closeAndResolve());
    socket.connect(9, address, () => closeAndResolve(socket.address().address));
  });
}
