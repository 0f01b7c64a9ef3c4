import ipaddr from 'ipaddr.js';
import type { Gateway } from './gateway.ts';

export interface MappingRequest {
  readonly internalPort: number;
  /** The router may choose another. */
  readonly externalPort: number;
  readonly lifetimeSeconds: number;
  /** 12 bytes: tell PCP whose mapping it is, and choose the port if the wanted one is taken. */
  readonly nonce: Buffer;
  /** Not yet to be renewed: checks only the router's address. */
  readonly current?: Mapping | undefined;
}

export interface Mapping {
  readonly protocol: 'pcp' | 'nat-pmp' | 'upnp';
  readonly externalAddress: string;
  readonly externalPort: number;
  readonly lifetimeSeconds: number;
  readonly service?: UpnpService;
}

export interface UpnpService {
  readonly type: string;
  readonly control: URL;
}

/**
 * Requests a port by one protocol, or removes it with a lifetime of 0; undefined if the router lacks the
 * protocol. Throws MappingRefused.
 */
export type Mapper = (
  gateway: Gateway,
  request: MappingRequest,
  signal: AbortSignal,
) => Promise<Mapping | undefined>;

export class MappingRefused extends Error {}

/** Returns whether the internet could route to an IPv4 address. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(address) && ipaddr.IPv4.parse(address).range() === 'unicast';
