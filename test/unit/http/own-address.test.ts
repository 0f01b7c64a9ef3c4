import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../../server/http/listeners/own-address.ts';

describe('where this computer is reached', () => {
  const OWN = ['198.18.0.1', '192.168.1.5', '[fd00::2]'];

  it('is first told by an address that a partner would call, and by none of a kind that nobody listens on', () => {
    expect(hostsOf('0.0.0.0', OWN)).toEqual(['192.168.1.5', '198.18.0.1', '127.0.0.1']);
    expect(hostsOf('::', OWN)).toEqual(['192.168.1.5', '[fd00::2]', '198.18.0.1', '127.0.0.1']);
  });

  it('is the address that it listens on, where it is one', () => {
    expect(hostsOf('10.0.0.7', OWN)).toEqual(['10.0.0.7']);
    expect(hostsOf('fd00::2', OWN)).toEqual(['[fd00::2]']);
  });
});
