import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  readDay,
  readMoment,
  readTime,
  writeDay,
  writeMoment,
  writeTime,
} from '../../../renderer/places/lists/grid/date-input.ts';
import { LANGUAGES } from '../../../server/base/vocabulary.ts';
import { createFormat, type Format } from '../../../renderer/text/format.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const days = (order: Format['dateOrder'], typed: readonly string[]): (string | undefined)[] =>
  typed.map((text) => readDay(text, order, NOW));

describe('days and times that are typed', () => {
  beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }));
  afterEach(() => void vi.unstubAllGlobals());

  it('are written as each language has them', () => {
    const written = Object.fromEntries(
      LANGUAGES.map((language) => {
        const format = createFormat(language);
        return [language, [writeDay('2026-02-09', format), writeTime('00:05:00', format)]];
      }),
    );
    expect(written).toEqual({
      en: ['02/09/2026', '12:05 AM'],
      de: ['09.02.2026', '00:05'],
      fr: ['09/02/2026', '00:05'],
      es: ['09/02/2026', '00:05'],
    });
    expect(writeDay('0999-02-09', createFormat('de'))).toBe('09.02.0999');
    expect(writeTime('14:05:09', createFormat('en'))).toBe('2:05:09 PM');
  });

  it('mean the day that the language means, and another order only where that alone makes a day', () => {
    const typed = ['1.2.2026', '01/02/26', '1 2 2026', '2026-02-01', '31.12.2026', '12/31/2026', '2026/2/1'];
    expect(days('DMY', typed)).toEqual([
      '2026-02-01',
      '2026-02-01',
      '2026-02-01',
      '2026-02-01',
      '2026-12-31',
      '2026-12-31',
      '2026-02-01',
    ]);
    expect(days('MDY', typed.slice(0, 5))).toEqual([
      '2026-01-02',
      '2026-01-02',
      '2026-01-02',
      '2026-02-01',
      '2026-12-31',
    ]);
    // Whoever was born in 58 was not born in 2058; what is due in 46 may be.
    expect(days('DMY', ['1.2.58', '1.2.46'])).toEqual(['1958-02-01', '2046-02-01']);
  });

  it('are no day where no calendar has it', () => {
    expect(
      days('DMY', ['30.2.2026', '29.2.2026', '0.1.2026', '1.13.2026', '1.2', '1.2.026', 'soon', '']),
    ).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined]);
    expect(readDay('29.2.2028', 'DMY', NOW)).toBe('2028-02-29');
    expect(['25:00', '12:60', '13:00 pm', '0:30 am', '7', 'noon'].map(readTime)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(['7:05', '7.05', '7h05', '12:00 am', '12:00 p.m.', '23:59:58'].map(readTime)).toEqual([
      '07:05:00',
      '07:05:00',
      '07:05:00',
      '00:00:00',
      '12:00:00',
      '23:59:58',
    ]);
    expect(
      ['1.2.2026 25:00', '30.2.2026 10:00', '10:00 1.2.2026'].map((text) => readMoment(text, 'DMY')),
    ).toEqual([undefined, undefined, undefined]);
    for (const text of [
      'Angebot 2026-0007',
      'Los 7Z',
      '2026-02-30T10:00Z',
      '2026-02-30 10:00',
      'Juli 2026 +0200',
    ])
      expect([text, readMoment(text, 'DMY')]).toEqual([text, undefined]);
    for (const text of ['2026-02-30T10:00', '2026-13-45'])
      expect([writeMoment(text, createFormat('de')), writeDay(text, createFormat('de'))]).toEqual([
        text,
        text,
      ]);
  });

  it('with a zone are read in the order of the language and moved by the zone', () => {
    for (const text of [
      '1.2.2026 10:00 +01:00',
      '1.2.2026 10:00+0100',
      '2026-02-01T09:00Z',
      '2026-02-01 09:00 z',
    ])
      expect([text, readMoment(text, 'DMY')]).toEqual([text, '2026-02-01T09:00:00Z']);
    expect(readMoment('2031-05-09T12:30:00.250Z', 'DMY')).toBe('2031-05-09T12:30:00.250Z');
  });

  it('come back as they were, whatever the language, the day and the hour', () => {
    for (const language of LANGUAGES) {
      const format = createFormat(language);
      for (
        let at = Date.UTC(1931, 0, 1, 3, 4, 5);
        at < Date.UTC(2046, 0, 1);
        at += 86_400_000 * 97 + 3_723_000
      ) {
        const stored = new Date(at).toISOString().replace('.000Z', 'Z');
        const day = stored.slice(0, 10);
        expect(readDay(writeDay(day, format), format.dateOrder)).toBe(day);
        expect(readTime(writeTime(stored.slice(11, 19), format))).toBe(stored.slice(11, 19));
        expect(readMoment(writeMoment(stored, format), format.dateOrder)).toBe(stored);
      }
    }
    // As the system's calendar gives it.
    expect(readMoment('2031-05-09T14:30', 'DMY')).toBe(readMoment('9.5.2031 14:30:00', 'DMY'));
  });
});
