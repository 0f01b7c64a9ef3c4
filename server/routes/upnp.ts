import { createSocket } from 'node:dgram';
import { request as httpRequest } from 'node:http';
import { isIPv4 } from 'node:net';
import { withDeadline } from '../base/deadline.ts';
import type { Gateway } from './gateway.ts';
import {
  isPublicAddress,
  MappingRefused,
  type Mapper,
  type MappingRequest,
  type UpnpService,
} from './port-mapper.ts';

const SSDP = { address: '239.255.255.250', port: 1900 };
const SEARCH_MS = 2_000;
const MAX_XML_BYTES = 64 * 1024;
const HTTP_MS = 3_000;
/** Bounds repetitions in patterns, as any device may write descriptions. */
const MAX_TEXT_CHARS = 600;
const GATEWAYS = [1, 2].map((version) => `urn:schemas-upnp-org:device:InternetGatewayDevice:${version}`);
const SERVICE = /^urn:schemas-upnp-org:service:WAN(?:IP|PPP)Connection:[12]$/;
/** Error codes of UPnP IGD: no mapping; another computer's port; only endless mappings. */
const UNMAPPED = 714;
const CONFLICT = 718;
const PERMANENT_ONLY = 725;

/**
 * Requests, renews or removes a port mapping by UPnP IGD. Returns `current` if the router still has its address and the
 * mapping; undefined without UPnP. Requests none if the router's address isn't public, and leaves other computers'
 * ports alone. Throws {@link MappingRefused}. A lifetime of 0 removes it.
 */
export const upnpMapper: Mapper = async (gateway, request, signal) => {
  const service = request.current?.service ?? (await findService(gateway, signal));
  if (!service) return undefined;
  if (request.lifetimeSeconds === 0) {
    // An unanswered request may have got any of them.
    for (const port of request.current ? [request.externalPort] : possiblePorts(request)) {
      const holder = await findHolder(service, port, signal);
      const isRemoved =
        holder === undefined ? port === request.externalPort : isOurs(holder, gateway, request);
      if (isRemoved) await callAction(service, 'DeletePortMapping', portArguments(port), signal);
    }
    return {
      protocol: 'upnp',
      externalAddress: '0.0.0.0',
      externalPort: request.externalPort,
      lifetimeSeconds: 0,
    };
  }
  const { NewExternalIPAddress: reported = '' } = await callAction(
    service,
    'GetExternalIPAddress',
    {},
    signal,
  );
  const externalAddress = isIPv4(reported) ? reported : '0.0.0.0';
  const { externalPort, current } = request;
  if (current?.externalAddress === externalAddress) {
    // A restarted router may have lost the mapping and kept its address.
    const holder = await findHolder(service, current.externalPort, signal);
    if (holder === undefined || isOurs(holder, gateway, request)) return current;
  }
  const mapping = { protocol: 'upnp', externalAddress, externalPort, service } as const;
  // Behind a carrier's router a port leads nowhere, and some routers refuse it.
  if (!isPublicAddress(externalAddress)) return { ...mapping, lifetimeSeconds: 0 };
  return { ...mapping, ...(await addMapping(service, gateway, request, signal)) };
};

/**
 * Searches for the router by SSDP, then for the port mapping service in its description; undefined without one, and on
 * failure. Never rejects.
 */
async function findService(gateway: Gateway, signal: AbortSignal): Promise<UpnpService | undefined> {
  const location = await findRouter(gateway, signal);
  return location && findConnectionService(location, signal).catch(() => undefined);
}

/** Searches by SSDP for 2 seconds; returns the URL of the default router's description, if any. Never rejects. */
function findRouter(gateway: Gateway, signal: AbortSignal): Promise<URL | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    let isOver = false;
    /** Ends the search, once, and resolves with the router's URL, undefined without one. */
    const closeAndResolve = (found?: URL): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.close();
      resolve(found);
    };
    const abort = (): void => closeAndResolve();
    const timer = setTimeout(abort, SEARCH_MS);
    signal.addEventListener('abort', abort);
    socket.on('error', abort);
    socket.on('message', (packet, { address }) => {
      const location = parseLocation(packet.toString('latin1'));
      if (address === gateway.address && location?.hostname === address) closeAndResolve(location);
    });
    socket.bind({ address: gateway.ownAddress, port: 0 }, () => {
      for (const target of GATEWAYS) {
        const search = `M-SEARCH * HTTP/1.1\r\nHOST: ${SSDP.address}:${SSDP.port}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\nST: ${target}\r\n\r\n`;
        // Many routers also answer directly, if multicast doesn't get through.
        for (const address of [SSDP.address, gateway.address])
          socket.send(search, SSDP.port, address, () => undefined);
      }
    });
  });
}

/** Returns the URL of the router's description in an SSDP answer; undefined without a valid one. */
function parseLocation(packet: string): URL | undefined {
  const text = /^location:[ \t]*(http:\/\/\S{1,500})[ \t]*\r?$/im.exec(packet)?.[1];
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Returns the port mapping service (type and control URL) in the description; undefined without one by http on the same
 * host.
 */
async function findConnectionService(location: URL, signal: AbortSignal): Promise<UpnpService | undefined> {
  const { body } = await fetchText(location, 'GET', {}, '', signal);
  // Matching from `<service>` on would take quadratic time.
  for (const piece of body.split(/<\/service>/i)) {
    const block = piece.slice(piece.toLowerCase().lastIndexOf('<service>'));
    const type = elementText(block, 'serviceType');
    const path = elementText(block, 'controlURL');
    if (type === undefined || !SERVICE.test(type) || path === undefined || !URL.canParse(path, location.href))
      continue;
    const control = new URL(path, location);
    // A description must not send us elsewhere.
    if (control.protocol === 'http:' && control.hostname === location.hostname) return { type, control };
  }
  return undefined;
}

/**
 * Maps the wanted port, or another if the wanted one is taken, with an unlimited lifetime (0) if the router grants no
 * other. The nonce chooses that port: after a crash it is the same again, and none stays open unnoticed. Throws {@link
 * UpnpError}.
 */
async function addMapping(
  service: UpnpService,
  gateway: Gateway,
  request: MappingRequest,
  signal: AbortSignal,
): Promise<{ externalPort: number; lifetimeSeconds: number }> {
  const [externalPort, ...others] = possiblePorts(request);
  let { lifetimeSeconds } = request;
  for (let port = externalPort; ;) {
    try {
      // Some routers would take the port from its holder.
      const holder = await findHolder(service, port, signal);
      if (holder && !isOurs(holder, gateway, request)) throw new UpnpError(CONFLICT);
      await callAction(
        service,
        'AddPortMapping',
        {
          ...portArguments(port),
          NewInternalPort: request.internalPort,
          NewInternalClient: gateway.ownAddress,
          NewEnabled: 1,
          NewPortMappingDescription: 'Footbridge',
          NewLeaseDuration: lifetimeSeconds,
        },
        signal,
      );
      return { externalPort: port, lifetimeSeconds };
    } catch (error) {
      if (!(error instanceof UpnpError)) throw error;
      const next = error.code === CONFLICT ? others.shift() : undefined;
      if (error.code === PERMANENT_ONLY && lifetimeSeconds !== 0) lifetimeSeconds = 0;
      else if (next === undefined) throw error;
      else port = next;
    }
  }
}

/** Returns the ports to try: the wanted one, then those that the nonce chooses. */
const possiblePorts = ({ externalPort, nonce }: MappingRequest): [number, ...number[]] => [
  externalPort,
  ...[2, 4, 6].map((at) => 20_000 + (nonce.readUInt16BE(at) % 40_000)),
];

/** Returns the target (`address:port`) of an external port: '' for nowhere, undefined if the router doesn't say. */
async function findHolder(
  service: UpnpService,
  externalPort: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { NewInternalClient: address, NewInternalPort: port = '' } = await callAction(
      service,
      'GetSpecificPortMappingEntry',
      portArguments(externalPort),
      signal,
    );
    return address && `${address}:${port}`;
  } catch (error) {
    if (error instanceof UpnpError) return error.code === UNMAPPED ? '' : undefined;
    throw error;
  }
}

const isOurs = (holder: string, { ownAddress }: Gateway, { internalPort }: MappingRequest): boolean =>
  holder === `${ownAddress}:${internalPort}` || holder === `${ownAddress}:`;

/** Returns the arguments that name a TCP port. */
const portArguments = (externalPort: number): Record<string, string | number> => ({
  NewRemoteHost: '',
  NewExternalPort: externalPort,
  NewProtocol: 'TCP',
});

class UpnpError extends MappingRefused {
  readonly code: number;
  constructor(code: number) {
    super(`UPnP error ${code}`);
    this.code = code;
  }
}

/**
 * Calls by SOAP and returns the answer's `New…` values. Throws {@link UpnpError} with the router's code or the HTTP
 * status.
 */
async function callAction(
  { type, control }: UpnpService,
  action: string,
  args: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const inner = Object.entries(args).map(([name, value]) => `<${name}>${value}</${name}>`);
  const envelope =
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" ' +
    's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>' +
    `<u:${action} xmlns:u="${type}">${inner.join('')}</u:${action}></s:Body></s:Envelope>`;
  const headers = { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${type}#${action}"` };
  const { status, body } = await fetchText(control, 'POST', headers, envelope, signal);
  if (status !== 200) throw new UpnpError(Number(elementText(body, 'errorCode') ?? status));
  const values = [...body.matchAll(/<(New\w{1,60})>([^<]{0,500})<\/\1>/g)];
  return Object.fromEntries(values.map(([, name = '', value = '']) => [name, value.trim()]));
}

/**
 * Returns the trimmed text of the first element of this name; undefined if it is missing or empty. A pattern with
 * blanks would take quadratic time.
 */
function elementText(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]{1,${MAX_TEXT_CHARS}})</${name}>`, 'i').exec(xml)?.[1]?.trim();
  return text === '' ? undefined : text;
}

/**
 * Requests a URL and returns text and status, also of errors. Rejects after 3 seconds or 64 KiB, for a redirect, and on
 * abort.
 */
function fetchText(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const within = withDeadline(HTTP_MS, signal);
    const request = httpRequest(
      url,
      {
        method,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: within,
      },
      (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          parts.push(part);
          bytes += part.length;
          if (bytes > MAX_XML_BYTES) request.destroy(new Error('the answer is too large'));
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') });
        });
      },
    );
    request.on('error', reject);
    // A change of protocol is neither answer nor error.
    request.on('close', () => reject(new Error('closed without an answer')));
    request.end(body);
  });
}
