import { fork, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { connect as connectTLS, createServer as createTLSServer, type Server } from 'node:tls';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { systemClock } from '../../server/base/clock.ts';
import { certificateIn, newCertificate } from '../../server/http/listeners/certificate.ts';
import { dialThroughRelay } from '../../server/routes/dial.ts';
import {
  newRegistrationSecret,
  officeIDOf,
  parseRelayAddress,
  type RelayAddress,
} from '../../server/routes/relay-address.ts';
import { maintainRegistration } from '../../server/routes/rendezvous-client.ts';

/**
 * `npm run build && npx tsx test/bench/relay.ts [offices] [pairs] [seconds]`: memory of a built relay with idle offices,
 * what busy pairs get of it, and what a megabyte costs through it and without it. The offices are in a process of their
 * own; all of them share this computer with the relay.
 */
const [offices = 500, pairs = 20, seconds = 10] = process.argv
  .slice(2)
  .filter((arg) => /^\d+$/.test(arg))
  .map(Number);
const CHUNK = randomBytes(64 * 1024);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const MIB = 1024 * 1024;
const TICKS_PER_SECOND = 100;

const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Milliseconds of processor that a process took. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

/** TLS of the office at the far end, which takes what comes. */
function sink(): Server {
  const { cert, key } = certificateIn(newCertificate(systemClock));
  return createTLSServer({ cert, key }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
  });
}

const registered = (relay: RelayAddress, secret: string, onStream: (stream: Duplex) => void): Promise<void> =>
  new Promise((resolve) => {
    maintainRegistration({
      endpoint: relay,
      headers: () => ({ authorization: `Bearer ${secret}`, 'footbridge-relay-key': relay.accessKey ?? '' }),
      onStream,
      onState: ({ kind }) => {
        if (kind === 'registered') resolve();
      },
      signal: new AbortController().signal,
      clock: systemClock,
      dial: { checkAddress: () => undefined, timeoutMs: 60_000 },
    });
  });

async function secured(stream: Duplex): Promise<Duplex> {
  const socket = connectTLS({ socket: stream, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** Writes for so long; returns the bytes that went. */
async function flood(stream: Duplex, forMs: number): Promise<number> {
  let bytes = 0;
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    bytes += CHUNK.length;
    if (!stream.write(CHUNK)) await once(stream, 'drain');
  }
  return bytes;
}

/** The process of the offices: registers them, says so, and takes what is sent to them. */
async function beOffices(): Promise<void> {
  const text = process.env.RELAY_ADDRESS ?? '';
  const relay = parseRelayAddress(text);
  if (!relay) throw new Error(`no address: ${text}`);
  const server = sink();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const secrets = Array.from({ length: offices }, newRegistrationSecret);
  for (let from = 0; from < offices; from += 20)
    await Promise.all(
      secrets
        .slice(from, from + 20)
        .map((secret) => registered(relay, secret, (stream) => server.emit('connection', stream))),
    );
  process.send?.({
    ids: secrets.slice(0, pairs).map(officeIDOf),
    port: (server.address() as AddressInfo).port,
  });
}

const atOffices = z.object({ ids: z.array(z.string()), port: z.number() });

async function startRelay(folder: string): Promise<{ child: ChildProcess; address: string }> {
  const args = ['dist/cli.js', 'relay', '--data', folder, '--port', '0', '--name', '127.0.0.1', '--json'];
  const child = spawn(process.execPath, [...args, '--rate-per-office', '1G', '--rate-total', '10G'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, address: z.object({ address: z.string() }).parse(JSON.parse(line)).address };
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-relay-bench-'));
  const { child, address } = await startRelay(folder);
  const relay = parseRelayAddress(address);
  const pid = child.pid;
  if (!relay || pid === undefined) throw new Error('the relay did not start');
  say(`load before: ${loadavg()[0]?.toFixed(1)}; relay without offices: ${residentMiB(pid).toFixed(0)} MiB`);
  const officeProcess = fork(new URL(import.meta.url), process.argv.slice(2), {
    env: { ...process.env, RELAY_ADDRESS: address },
  });
  try {
    const { ids, port } = atOffices.parse((await once(officeProcess, 'message'))[0]);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    say(`relay with ${offices} idle offices: ${residentMiB(pid).toFixed(0)} MiB`);
    const dial = { checkAddress: () => undefined, timeoutMs: 60_000 };
    const [firstID = ''] = ids;
    const processes = [process.pid, officeProcess.pid ?? 0];
    const cpu = (): number[] => [...processes, pid].map(cpuMs);
    for (const [name, open] of [
      ['direct', () => secured(connect(port, '127.0.0.1'))],
      ['relay', async () => secured(await dialThroughRelay(relay, firstID, dial))],
      ['direct', () => secured(connect(port, '127.0.0.1'))],
      ['relay', async () => secured(await dialThroughRelay(relay, firstID, dial))],
    ] as const) {
      const stream = await open();
      const before = cpu();
      const start = performance.now();
      const mib = (await flood(stream, seconds * 500)) / MIB;
      const elapsed = (performance.now() - start) / 1000;
      const used = cpu().map((value, at) => (value - (before[at] ?? 0)) / mib);
      stream.destroy();
      const [sender = 0, receiver = 0, carried = 0] = used;
      say(
        `one stream, ${name}: ${(mib / elapsed).toFixed(1)} MiB/s; CPU ms/MiB: both ends ${(sender + receiver).toFixed(1)}, relay ${carried.toFixed(1)}`,
      );
    }
    const streams = await Promise.all(
      ids.map(async (id) => secured(await dialThroughRelay(relay, id, dial))),
    );
    const before = cpu();
    const sent = await Promise.all(streams.map((stream) => flood(stream, seconds * 1000)));
    const [least, most, all] = [
      Math.min(...sent),
      Math.max(...sent),
      sent.reduce((sum, one) => sum + one, 0),
    ];
    const [sender = 0, receiver = 0, carried = 0] = cpu().map(
      (value, at) => (value - (before[at] ?? 0)) / (all / MIB),
    );
    say(
      `${pairs} busy pairs for ${seconds} s: ${(all / MIB / seconds).toFixed(1)} MiB/s together, most/least ${(most / least).toFixed(2)}, least/mean ${((least * pairs) / all).toFixed(2)}; CPU ms/MiB: both ends ${(sender + receiver).toFixed(1)}, relay ${carried.toFixed(1)}; relay ${residentMiB(pid).toFixed(0)} MiB; load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    officeProcess.kill('SIGKILL');
    child.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.env.RELAY_ADDRESS === undefined) {
  await measure();
  process.exit(0);
} else {
  await beOffices();
}
