import type { Suggestion } from '../contract/app/sharing.ts';
import { descriptorOf } from '../federation/sharing/columns.ts';
import type { Field, FieldDescriptor, IncomingRow } from '../lists/definitions/model.ts';
import { valuesOf } from '../lists/values/value-sets.ts';
import { converter, describeConversion } from '../sync/pull/convert.ts';
import type { Say } from '../words/said.ts';
import { suggestMatches } from '../sync/compare/suggest.ts';

const SAMPLES = 3;
/** Letters of a value that is shown: of a longer one the beginning, also after it was converted. */
const MOST_SHOWN = 200;
const shownOf = (texts: readonly string[]): string => {
  const shown = texts.map((text) => text.slice(0, MOST_SHOWN + 1)).join(', ');
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
};

/**
 * Which of our columns fits which of theirs, what a match does to the values, and three real values before
 * and after for every column where they do not simply stay as they are.
 */
export function suggestionsFor(
  offered: readonly FieldDescriptor[],
  ours: readonly Field[],
  rows: readonly IncomingRow[],
  say: Say,
): Suggestion[] {
  const best = new Map(suggestMatches(offered, ours).map(({ origin, destination }) => [origin, destination]));
  return offered.map((origin) => {
    const destination = best.get(origin.name);
    const texts = rows.map(({ values }) => valuesOf(values, origin.name)).filter((list) => list.length > 0);
    return {
      origin: descriptorOf(origin),
      ...(destination === undefined ? {} : { destination }),
      candidates: ours.map((field) => {
        const described = describeConversion(origin, field);
        const changes = described.conversion === 'converts' || described.conversion === 'may-refuse';
        return {
          name: field.name,
          label: field.label,
          kind: field.kind,
          conversion: described.conversion,
          note: say(described.note),
          ...(changes ? { samples: samples(origin, field, texts, say) } : {}),
        };
      }),
      samples: texts.slice(0, SAMPLES).map(shownOf),
    };
  });
}

type Sample = NonNullable<Suggestion['candidates'][number]['samples']>[number];

/** What is refused comes first: it is what one has to see before saying yes. */
function samples(
  origin: FieldDescriptor,
  target: Pick<Field, 'kind' | 'isMulti' | 'options'>,
  texts: readonly (readonly string[])[],
  say: Say,
): Sample[] {
  const convert = converter(origin, target);
  const tried = texts.map((list): Sample => {
    const before = shownOf(list);
    const converted = convert(list);
    return 'values' in converted
      ? { before, after: shownOf(converted.values) }
      : { before, problem: say(converted.problem) };
  });
  return [...tried.filter(({ problem }) => problem), ...tried.filter(({ problem }) => !problem)].slice(
    0,
    SAMPLES,
  );
}
