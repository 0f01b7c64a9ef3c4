import { describe, expect, it } from 'vitest';
import {
  formatRelayAddress,
  newRegistrationSecret,
  officeIDOf,
  parseRelayAddress,
  type RelayAddress,
} from '../../../server/routes/relay-address.ts';

const PIN = '0a1b'.repeat(16);
const FULL: RelayAddress = {
  host: 'relay.hansen-soehne.de',
  port: 7422,
  path: '/bridge',
  pin: PIN,
  accessKey: 'Zk3_9-aaBBccDDeeFFggHH',
  officeID: officeIDOf(newRegistrationSecret()),
};

describe('the address of a relay', () => {
  it.each<RelayAddress>([
    FULL,
    { host: '203.0.113.7', port: 7422, path: '', pin: PIN },
    { host: '2001:db8::7', port: 443, path: '' },
    { host: 'relay.example.org', port: 443, path: '/a/b' },
  ])('comes back as it was written: $host', (address) => {
    expect(parseRelayAddress(formatRelayAddress(address))).toEqual(address);
  });

  it('never carries the access key into an invite', () => {
    const { accessKey, ...rest } = FULL;
    const text = formatRelayAddress(FULL, true);
    expect(text).not.toContain(accessKey);
    expect(parseRelayAddress(text)).toEqual(rest);
  });

  it.each([
    ['relay.example.org', { host: 'relay.example.org', port: 443, path: '' }],
    ['  relay.example.org:7422\n', { host: 'relay.example.org', port: 7422, path: '' }],
    ['https://Relay.Example.org/bridge/', { host: 'relay.example.org', port: 443, path: '/bridge' }],
    ['wss://relay.example.org:443', { host: 'relay.example.org', port: 443, path: '' }],
    [
      `“footbridge-relay://203.0.113.7:7422?pin=\n${PIN.toUpperCase()}”`,
      { host: '203.0.113.7', port: 7422, path: '', pin: PIN },
    ],
  ])('is understood as people paste it: %s', (text, address) => {
    expect(parseRelayAddress(text)).toEqual(address);
  });

  it.each([
    '',
    'relay',
    'http://relay.example.org',
    'ftp://relay.example.org',
    'https://https://relay.example.org',
    'https://user:secret@relay.example.org',
    'relay.example.org:70000',
    'footbridge-relay://relay.example.org?pin=abc',
    'footbridge-relay://relay.example.org?office=short',
    'footbridge-relay://relay.example.org?key=a%20b',
    `relay.example.org/${'x'.repeat(2_000)}`,
  ])('is none: %s', (text) => {
    expect(parseRelayAddress(text)).toBeUndefined();
  });
});
