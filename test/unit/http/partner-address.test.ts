import { describe, expect, it } from 'vitest';
import { partnerAddress, type AddressFacts } from '../../../server/node/address.ts';

const own = { fingerprint: 'a'.repeat(64), selfSigned: true };
const bought = { fingerprint: 'b'.repeat(64), selfSigned: false };
const base: AddressFacts = { host: '192.168.1.5', port: 7420 };

describe('what partners are told about reaching us', () => {
  it.each<[string, AddressFacts, object]>([
    [
      'this computer only: open, nothing to pin',
      { host: '127.0.0.1', port: 7420 },
      { listener: 'http://127.0.0.1:7420/federation' },
    ],
    [
      'the network: encrypted, our certificate pinned',
      { ...base, certificate: own },
      { listener: 'https://192.168.1.5:7420/federation', certificate: own.fingerprint },
    ],
    [
      'the network with a certificate from an authority: never pinned, it is renewed',
      { ...base, certificate: bought },
      { listener: 'https://192.168.1.5:7420/federation' },
    ],
    [
      'a router that forwards to us: pinned',
      {
        ...base,
        certificate: own,
        publicUrl: 'https://office.example:7420',
        presented: { fingerprint: own.fingerprint, trusted: false },
      },
      {
        listener: 'https://192.168.1.5:7420/federation',
        publicUrl: 'https://office.example:7420',
        certificate: own.fingerprint,
      },
    ],
    [
      'a public address that cannot be tried from inside: pinned',
      { ...base, certificate: own, publicUrl: 'https://office.example:7420' },
      {
        listener: 'https://192.168.1.5:7420/federation',
        publicUrl: 'https://office.example:7420',
        certificate: own.fingerprint,
      },
    ],
    [
      'a proxy with a certificate of its own: not pinned',
      {
        ...base,
        certificate: own,
        publicUrl: 'https://office.example',
        presented: { fingerprint: 'c'.repeat(64), trusted: true },
      },
      { listener: 'https://192.168.1.5:7420/federation', publicUrl: 'https://office.example' },
    ],
    [
      'a proxy without encryption: nothing to pin',
      { ...base, certificate: own, publicUrl: 'http://office.example' },
      { listener: 'https://192.168.1.5:7420/federation', publicUrl: 'http://office.example' },
    ],
    [
      'a proxy before a listener that only this computer reaches',
      { host: '127.0.0.1', port: 7420, publicUrl: 'https://office.example' },
      { listener: 'http://127.0.0.1:7420/federation', publicUrl: 'https://office.example' },
    ],
  ])('%s', (_name, facts, expected) => {
    expect(partnerAddress(facts)).toEqual(expected);
  });
});
