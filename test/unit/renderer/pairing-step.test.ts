import { describe, expect, it } from 'vitest';
import { findPartnerNamed, pairingStep } from '../../../renderer/places/partners/pairing/pairing-step.ts';

describe('where a pairing stands', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  const invite = { expiresAt: '2026-01-02T12:00:00Z' };

  it('tells an invite that waits from one that has ended', () => {
    expect(pairingStep({ status: 'pending', role: 'inviter', invite }, now)).toBe('invited');
    expect(pairingStep({ status: 'pending', role: 'inviter', invite }, now + 86_400_000)).toBe('invite-gone');
  });

  it('asks the inviter and lets the invited wait', () => {
    expect(pairingStep({ status: 'pair_requested', role: 'inviter', invite }, now)).toBe('asked');
    expect(pairingStep({ status: 'pair_requested', role: 'inviter', approved: true }, now)).toBe('approved');
    expect(pairingStep({ status: 'pair_requested', role: 'invitee', invite: undefined }, now)).toBe(
      'waiting',
    );
    expect(pairingStep({ status: 'pending', role: 'invitee' }, now)).toBe('unasked');
    const again = { address: 'https://harbour.example/federation' };
    expect(pairingStep({ status: 'paired', role: 'invitee', asksAgain: again }, now)).toBe('asked');
    expect(pairingStep({ status: 'paired', role: 'inviter' }, now)).toBe('connected');
    expect(pairingStep({ status: 'paired', role: 'invitee', waitsAgain: true }, now)).toBe('waiting');
    expect(pairingStep({ status: 'unpaired', invite: undefined }, now)).toBe('ended');
  });
});

describe('an invite by the name of a known partner', () => {
  const partners = [{ name: 'Bergen' }, { name: 'Kiel' }, { name: 'Kiel' }, { name: 'Tromsø ' }];

  it('is for that partner, where one alone has the name', () => {
    expect(findPartnerNamed(partners, ' bergen')).toBe(partners[0]);
    expect(findPartnerNamed(partners, 'TROMSØ')).toBe(partners[3]);
    expect(findPartnerNamed(partners, 'Kiel')).toBeUndefined();
    expect(findPartnerNamed(partners, 'Berge')).toBeUndefined();
    expect(findPartnerNamed(partners, '')).toBeUndefined();
  });
});
