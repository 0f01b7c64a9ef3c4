import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { MappingRefused, type Mapper } from './port-mapper.ts';

const PORT = 5351;
/** Time that each of three tries waits (RFC 6886 doubles likewise). */
const PATIENCE_MS = [250, 500, 1_000];
const TCP = 6;

/**
 * Requests a port mapping by PCP (RFC 6887), else NAT-PMP (RFC 6886); undefined if the router knows neither. Throws
 * {@link MappingRefused}. A lifetime of 0 removes it.
 */
export const pcpMapper: Mapper = async (gateway, request, signal) => {
  const nonce = request.nonce;
  const answer = await requestReply(
    gateway.address,
    encodeMapRequest(gateway.ownAddress, request, nonce),
    signal,
    (reply) =>
      // A router with only NAT-PMP answers in version 0.
      reply[0] === 0 ||
      (reply[0] === 2 && reply[1] === 0x81 && reply.length >= 60 && reply.subarray(24, 36).equals(nonce))
        ? reply
        : undefined,
  );
  if (answer === undefined) return undefined;
  if (answer[0] === 0) return mapByNatPmp(gateway.address, request, signal);
  const result = answer.readUInt8(3);
  // After an unsupported version or opcode, other protocols may do; all else is final.
  if (result === 1 || result === 4) return undefined;
  if (result !== 0) throw new MappingRefused(`PCP result ${result}`);
  return {
    protocol: 'pcp',
    externalPort: answer.readUInt16BE(42),
    externalAddress: ipv4Of(answer.subarray(44, 60)),
    lifetimeSeconds: answer.readUInt32BE(4),
  };
};

type Request = Parameters<Mapper>[1];

/** Returns a PCP request for a mapping; a lifetime of 0 removes it. */
function encodeMapRequest(ownAddress: string, request: Request, nonce: Buffer): Buffer {
  const packet = Buffer.alloc(60);
  packet.writeUInt8(2, 0);
  packet.writeUInt8(1, 1);
  packet.writeUInt32BE(request.lifetimeSeconds, 4);
  mappedIPv4(ownAddress).copy(packet, 8);
  nonce.copy(packet, 24);
  packet.writeUInt8(TCP, 36);
  packet.writeUInt16BE(request.internalPort, 40);
  packet.writeUInt16BE(request.lifetimeSeconds === 0 ? 0 : request.externalPort, 42);
  mappedIPv4('0.0.0.0').copy(packet, 44);
  return packet;
}

/**
 * Requests or removes the mapping and asks for the router's public address; undefined without an answer. Throws {@link
 * MappingRefused}.
 */
async function mapByNatPmp(router: string, request: Request, signal: AbortSignal): ReturnType<Mapper> {
  const map = Buffer.alloc(12);
  map.writeUInt8(2, 1);
  map.writeUInt16BE(request.internalPort, 4);
  map.writeUInt16BE(request.lifetimeSeconds === 0 ? 0 : request.externalPort, 6);
  map.writeUInt32BE(request.lifetimeSeconds, 8);
  const mapped = await requestReply(router, map, signal, natPmpReplyFilter(130, 16));
  const address = mapped && (await requestReply(router, Buffer.alloc(2), signal, natPmpReplyFilter(128, 12)));
  if (!mapped || !address) return undefined;
  const result = mapped.readUInt16BE(2) || address.readUInt16BE(2);
  if (result !== 0) throw new MappingRefused(`NAT-PMP result ${result}`);
  return {
    protocol: 'nat-pmp',
    externalPort: mapped.readUInt16BE(10),
    externalAddress: [...address.subarray(8, 12)].join('.'),
    lifetimeSeconds: mapped.readUInt32BE(12),
  };
}

/** Returns a filter for NAT-PMP replies of this opcode and at least this length. */
const natPmpReplyFilter =
  (opcode: number, length: number) =>
  (reply: Buffer): Buffer | undefined =>
    reply[0] === 0 && reply[1] === opcode && reply.length >= length ? reply : undefined;

/**
 * Sends a packet by UDP up to three times within 1.75 s. Returns the first reply that `accept` takes; undefined without
 * one or on abort.
 */
function requestReply(
  router: string,
  packet: Buffer,
  signal: AbortSignal,
  accept: (reply: Buffer) => Buffer | undefined,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    /** Ends the exchange, once, and resolves with the reply, undefined without one. */
    const closeAndResolve = (answer?: Buffer): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.close();
      resolve(answer);
    };
    const abort = (): void => closeAndResolve();
    /** Sends the packet and schedules the next attempt; after the last gives up. */
    const sendAttempt = (attempt: number): void => {
      const patience = PATIENCE_MS[attempt];
      if (patience === undefined) {
        closeAndResolve();
        return;
      }
      socket.send(packet, () => undefined);
      timer = setTimeout(() => sendAttempt(attempt + 1), patience);
    };
    signal.addEventListener('abort', abort);
    // The router's port is closed: no such service.
    socket.on('error', () => closeAndResolve());
    socket.on('message', (reply) => {
      const accepted = accept(reply);
      if (accepted) closeAndResolve(accepted);
    });
    // Without a network this is an error, and an unconnected send would throw.
    socket.connect(PORT, router, (error?: unknown) => {
      if (signal.aborted || error) closeAndResolve();
      else sendAttempt(0);
    });
  });
}

const MAPPED_PREFIX = Buffer.from('00000000000000000000ffff', 'hex');
/** Returns an address as IPv4-mapped IPv6; `0.0.0.0` for anything but IPv4. */
const mappedIPv4 = (address: string): Buffer =>
  Buffer.concat([
    MAPPED_PREFIX,
    Buffer.from(isIPv4(address) ? address.split('.').map(Number) : [0, 0, 0, 0]),
  ]);
const ipv4Of = (bytes: Buffer): string =>
  bytes.subarray(0, 12).equals(MAPPED_PREFIX) ? [...bytes.subarray(12)].join('.') : '0.0.0.0';
