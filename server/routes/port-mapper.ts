import ipaddr from 'ipaddr.js';
import type { Gateway } from './gateway.ts';

export interface MappingRequest {
  /** TCP port of this computer. */
  readonly internalPort: number;
  /** The router may give another one. */
  readonly externalPort: number;
  /** 0 removes the mapping. */
  readonly lifetimeSeconds: number;
  /** 12 bytes by which PCP knows whose mapping it is, and which choose the port where the wanted one is taken. */
  readonly nonce: Buffer;
  /** The mapping that needs no renewal yet, if only the router's address is to be checked. */
  readonly current?: Mapping | undefined;
}

export interface Mapping {
  readonly protocol: 'pcp' | 'nat-pmp' | 'upnp';
  readonly externalAddress: string;
  readonly externalPort: number;
  /** 0: until it is removed. */
  readonly lifetimeSeconds: number;
  /** Where a router with UPnP answers. */
  readonly service?: UpnpService;
}

export interface UpnpService {
  readonly type: string;
  readonly control: URL;
}

/** Asks a router for a port by one protocol; undefined if it doesn't know that. @throws MappingRefused */
export type Mapper = (
  gateway: Gateway,
  request: MappingRequest,
  signal: AbortSignal,
) => Promise<Mapping | undefined>;

export class MappingRefused extends Error {}

/** Returns whether the internet could route to an IPv4 address. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(address) && ipaddr.IPv4.parse(address).range() === 'unicast';
