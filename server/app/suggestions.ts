import type { Suggestion } from '../contract/app/sharing.ts';
import { descriptorOf } from '../federation/sharing/columns.ts';
import { createYielder } from '../base/yield.ts';
import type { Field, FieldDescriptor, IncomingRow, Row } from '../lists/definitions/model.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import { createConverter, describeConversion } from '../sync/pull/convert.ts';
import type { Say } from '../words/said.ts';
import { suggestMatches } from '../sync/compare/suggest.ts';
import { suggestByValues } from '../sync/compare/suggest-by-values.ts';

const SAMPLES = 3;
/** Bounds tried values: a partner may send a million. */
const MAX_TRIED = 1000;
const MAX_VALUES = 100;
const MAX_SHOWN = 200;

/**
 * Returns for each offered column our best match by name, or a proposal by values, and how each of ours would convert
 * it, with up to three sample values.
 * @param rows the partner's
 * @param standing our rows, for proposals by values
 */
export async function suggestMappings(
  offered: readonly FieldDescriptor[],
  ours: readonly Field[],
  rows: readonly IncomingRow[],
  say: Say,
  standing: readonly Pick<Row, 'values'>[] = [],
): Promise<Suggestion[]> {
  const pause = createYielder();
  const matches = await suggestMatches(offered, ours);
  const best = new Map(matches.map(({ origin, destination }) => [origin, destination]));
  const taken = new Set(best.values());
  const byValues = await suggestByValues(
    { columns: offered.filter(({ name }) => best.get(name) === undefined), rows },
    { columns: ours.filter(({ name }) => !taken.has(name)), rows: standing },
  );
  const suggestions: Suggestion[] = [];
  for (const origin of offered) {
    const destination = best.get(origin.name);
    const proposed = byValues.get(origin.name);
    const texts = rows
      .map(({ values }) => valuesOf(values, origin.name))
      .filter((list) => list.length > 0)
      .map((list) => list.slice(0, MAX_VALUES).map((text) => text.slice(0, MAX_TRIED)));
    const candidates: Candidate[] = [];
    /** Columns of one kind with the same settings convert alike. */
    const known = new Map<string, Sample[]>();
    for (const field of ours) {
      await pause();
      const { conversion, note } = describeConversion(origin, field);
      const key = JSON.stringify([field.kind, field.isMulti, field.options]);
      const changes = conversion === 'converts' || conversion === 'may-refuse';
      const tried = changes ? (known.get(key) ?? convertSamples(origin, field, texts, say)) : undefined;
      if (tried) known.set(key, tried);
      const { name, label, kind } = field;
      candidates.push({
        name,
        label,
        kind,
        conversion,
        note: say(note),
        ...(tried ? { samples: tried } : {}),
      });
    }
    suggestions.push({
      origin: descriptorOf(origin),
      ...(destination === undefined ? {} : { destination }),
      ...(proposed ? { proposed } : {}),
      candidates,
      samples: texts.slice(0, SAMPLES).map(shorten),
    });
  }
  return suggestions;
}

type Candidate = Suggestion['candidates'][number];
type Sample = NonNullable<Candidate['samples']>[number];

/** Returns the first texts, up to 200 characters in all; an ellipsis ends one that is cut. */
function shorten(texts: readonly string[]): string[] {
  let left = MAX_SHOWN;
  const shown: string[] = [];
  for (const text of texts) {
    if (text.length > left) return [...shown, `${text.slice(0, left)}…`];
    shown.push(text);
    left -= text.length;
  }
  return shown;
}

/** Returns up to three examples before and after conversion, refused ones first. */
function convertSamples(
  origin: FieldDescriptor,
  target: Pick<Field, 'kind' | 'isMulti' | 'options'>,
  texts: readonly (readonly string[])[],
  say: Say,
): Sample[] {
  const convert = createConverter(origin, target);
  const tried = texts.map((list): Sample => {
    const before = shorten(list);
    const converted = convert(list);
    return 'values' in converted
      ? { before, after: shorten(converted.values) }
      : { before, problem: say(converted.problem) };
  });
  return [...tried.filter(({ problem }) => problem), ...tried.filter(({ problem }) => !problem)].slice(
    0,
    SAMPLES,
  );
}
