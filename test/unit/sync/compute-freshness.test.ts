import { describe, expect, it } from 'vitest';
import { computeFreshness } from '../../../server/sync/status/liveness.ts';
import { type fresh, old, well } from '../../support/data/partner-facts.ts';

const at = (minute: number, freshFor: number): typeof fresh => ({
  at: `2026-11-20T11:${String(minute).padStart(2, '0')}:00.000Z`,
  fresh: freshFor > 0,
  freshFor,
});

describe('as of when a state is known, and for how long it may be believed', () => {
  it('is the older of both ways, and the shorter of both times', () => {
    const facts = { ...well, heard: at(58, 50_000), complete: at(57, 40_000), asked: at(59, 30_000) };
    expect(computeFreshness(facts)).toEqual({ asOf: at(57, 0).at, freshForMs: 30_000 });
  });

  it('rests on a word of theirs only where they owe one', () => {
    const [complete, asked] = [at(57, 40_000), at(59, 30_000)];
    const receives = { ...well, complete, asked: undefined, sharing: undefined };
    expect(computeFreshness(receives)).toEqual({ asOf: complete.at, freshForMs: 40_000 });
    const onlyCalled = { ...well, callsUs: true, matched: 0, heard: undefined, complete: undefined, asked };
    expect(computeFreshness(onlyCalled)).toEqual({ asOf: asked.at, freshForMs: 30_000 });
    expect(computeFreshness({ ...onlyCalled, callsUs: false, sharing: undefined, matched: 2 })).toEqual({});
  });

  it('is believed during a long pull for as long as its answers come', () => {
    const facts = { ...well, complete: old, heard: at(59, 45_000), asked: at(59, 50_000) };
    expect(computeFreshness(facts)).toEqual({ asOf: old.at, freshForMs: 45_000 });
    // What was whole a moment ago is so, whenever the last answer came before that.
    const whole = { ...well, complete: at(59, 45_000), heard: old, asked: at(59, 50_000) };
    expect(computeFreshness(whole)).toEqual({ asOf: at(59, 0).at, freshForMs: 45_000 });
  });
});
