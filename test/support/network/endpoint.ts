import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect as connectTLS, createServer as createTLSServer } from 'node:tls';
import { systemClock } from '../../../server/base/clock.ts';
import { fingerprintOf } from '../../../server/base/hashes.ts';
import { certificateIn, newCertificate } from '../../../server/http/listeners/certificate.ts';
import { dialThroughRelay } from '../../../server/routes/dial.ts';
import { maintainMapping } from '../../../server/routes/port-mapping.ts';
import {
  newRegistrationSecret,
  officeIDOf,
  parseRelayAddress,
} from '../../../server/routes/relay-address.ts';
import { maintainRegistration } from '../../../server/routes/rendezvous-client.ts';

/**
 * A computer of the lab, as a program: `office RELAY` registers and echoes, `caller RELAY OFFICE PIN BYTES` calls it,
 * `mapped PORT` keeps a port open at the router. Each prints one line of JSON for every thing that happens.
 */
const [, , role, first = '', ...rest] = process.argv;
const say = (event: unknown): void => void process.stdout.write(`${JSON.stringify(event)}\n`);
const checkAddress = (): void => undefined;
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());
setInterval(() => undefined, 60_000);

const addressOf = (text: string): NonNullable<ReturnType<typeof parseRelayAddress>> => {
  const address = parseRelayAddress(text);
  if (!address) throw new Error(`no address of a relay: ${text}`);
  return address;
};

if (role === 'office') {
  const relay = addressOf(first);
  const secret = newRegistrationSecret();
  const certificate = certificateIn(newCertificate(systemClock));
  const server = createTLSServer({ cert: certificate.cert, key: certificate.key }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  maintainRegistration({
    endpoint: relay,
    headers: () => ({ authorization: `Bearer ${secret}`, 'footbridge-relay-key': relay.accessKey ?? '' }),
    onStream: (stream) => server.emit('connection', stream),
    onState: (state) => say({ ...state, officeID: officeIDOf(secret), pin: certificate.fingerprint }),
    signal: ended.signal,
    clock: systemClock,
    dial: { checkAddress },
  });
} else if (role === 'caller') {
  const [officeID = '', pin = '', bytes = '0'] = rest;
  const start = performance.now();
  const stream = await dialThroughRelay(addressOf(first), officeID, { checkAddress });
  const socket = connectTLS({ socket: stream, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  if (!certificate || fingerprintOf(certificate) !== pin) throw new Error('another certificate');
  const connectedMs = Math.round(performance.now() - start);
  let returned = 0;
  const all = new Promise<void>((resolve) => {
    socket.on('data', (part: Buffer) => {
      returned += part.length;
      if (returned >= Number(bytes)) resolve();
    });
  });
  socket.write(Buffer.alloc(Number(bytes), 'Hansen & Söhne;Kiel;'));
  await all;
  say({ connectedMs, returned, ms: Math.round(performance.now() - start) });
  process.exit(0);
} else if (role === 'mapped') {
  const kept = maintainMapping({
    port: Number(first),
    secret: 'of-this-office',
    onState: say,
    clock: systemClock,
    signal: ended.signal,
  });
  await kept.ended;
  process.exit(0);
} else {
  await writeFile('/dev/stderr', `no such role: ${role ?? ''}\n`);
  process.exit(2);
}
