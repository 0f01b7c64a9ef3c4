import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAddress, parseAddress, type AddressRules } from '../../../server/peer/transport/address.ts';
import { AddressRefusedError } from '../../../server/peer/guard/errors.ts';

const strict: AddressRules = { ownNetwork: false, allowLoopback: false };

function problem(run: () => unknown): string {
  try {
    run();
    return 'passed';
  } catch (error) {
    if (error instanceof AddressRefusedError) return error.problem;
    throw error;
  }
}

describe('address guard', () => {
  it.each([
    ['http://127.0.0.1', 'loopback'],
    ['http://[::1]:7421/federation', 'loopback'],
    ['http://0.0.0.0', 'forbidden'],
    ['http://169.254.169.254/latest', 'forbidden'],
    ['http://[::ffff:127.0.0.1]', 'loopback'],
    ['http://[::ffff:7f00:1]', 'loopback'],
    ['http://2130706433', 'loopback'],
    ['http://0x7f.1', 'loopback'],
    ['http://0177.0.0.1', 'loopback'],
    ['http://[fe80::1]', 'forbidden'],
    ['http://[fd00:ec2::254]', 'forbidden'],
    ['http://[fd00:ec2::23]/v1/credentials', 'forbidden'],
    ['http://[fd00:c1::a9fe:a9fe]/opc/v2', 'forbidden'],
    ['http://[fd00:42::42]', 'forbidden'],
    ['http://[fd20:ce::254]', 'forbidden'],
    ['http://[fd20:00ce:0::0254]/computeMetadata/v1', 'forbidden'],
    ['http://100.100.100.200', 'forbidden'],
    ['http://[64:ff9b::7f00:1]', 'loopback'],
    ['http://[::127.0.0.1]', 'loopback'],
    ['http://[::169.254.169.254]', 'forbidden'],
    ['http://[64:ff9b:1::7f00:1]', 'forbidden'],
    ['http://[fec0::1]', 'forbidden'],
    ['http://224.0.0.1', 'forbidden'],
    ['http://[::]', 'forbidden'],
    ['http://255.255.255.255', 'forbidden'],
    ['http://[2002:7f00:1::]', 'forbidden'],
  ])('S1: refuses %s as %s', (address, expected) => {
    expect(problem(() => parseAddress(address, strict))).toBe(expected);
    expect(problem(() => parseAddress(address, { ...strict, ownNetwork: true }))).toBe(expected);
  });

  it.each([
    'http://10.0.0.5',
    'http://192.168.1.20:7420',
    'https://172.16.0.1',
    'http://[fd12::1]',
    'http://100.64.0.1',
  ])('S5: takes %s only with the consent that it is the own network', (address) => {
    expect(problem(() => parseAddress(address, strict))).toBe('private');
    expect(problem(() => parseAddress(address, { ...strict, ownNetwork: true }))).toBe('passed');
  });

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.org', 'scheme'],
    ['gopher://example.org', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user:secret@example.org/federation', 'malformed'],
    ['https://example.org@127.0.0.1/', 'malformed'],
    ['https://exam\r\nple.org', 'malformed'],
    ['https://example.org/\tfederation', 'malformed'],
    ['https:\\\\example.org', 'malformed'],
    ['https://example.org/#x', 'malformed'],
    ['', 'malformed'],
    ['example.org', 'malformed'],
  ])('S4: refuses %j as %s', (address, expected) => {
    expect(problem(() => parseAddress(address, strict))).toBe(expected);
  });

  it('lets public addresses and names through', () => {
    expect(parseAddress('https://example.org:8443/api/federation', strict).hostname).toBe('example.org');
    expect(problem(() => parseAddress('http://93.184.216.34', strict))).toBe('passed');
    expect(problem(() => parseAddress('https://[2606:2800:220:1::1]', strict))).toBe('passed');
  });

  it('never lets any notation of a loopback or link-local address through (fast-check)', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const forbidden = fc.oneof(
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(0), octet, octet, octet),
    );
    fc.assert(
      fc.property(forbidden, ([a, b, c, d]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const notations = [
          `${a}.${b}.${c}.${d}`,
          String(number),
          `0x${number.toString(16)}`,
          `0${a.toString(8)}.${b}.${c}.${d}`,
          `${a}.${b}.${c * 256 + d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[::${a}.${b}.${c}.${d}]`,
          `[64:ff9b::${a}.${b}.${c}.${d}]`,
        ];
        for (const host of notations) {
          expect(problem(() => parseAddress(`http://${host}/`, { ...strict, ownNetwork: true }))).not.toBe(
            'passed',
          );
        }
      }),
    );
  });

  it('judges what a look-up gives the same way', () => {
    expect(problem(() => checkAddress('::ffff:10.0.0.1', strict))).toBe('private');
    expect(problem(() => checkAddress('::10.0.0.1', strict))).toBe('private');
    expect(problem(() => checkAddress('fe80::1%eth0', strict))).toBe('forbidden');
    expect(problem(() => checkAddress('127.0.0.1', { ...strict, allowLoopback: true }))).toBe('passed');
  });
});
