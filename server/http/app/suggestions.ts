import type { Suggestion } from '../../contract/app.ts';
import type { Field, FieldDescriptor } from '../../lists/model.ts';
import type { RemoteRecord } from '../../peer/remote.ts';
import { convertValues, describeConversion } from '../../sync/convert.ts';
import { suggestMatches } from '../../sync/suggest.ts';

const SAMPLES = 3;

/**
 * Which of our columns fits which of theirs, what a match does to the values, and three real values before
 * and after in the column that fits best.
 */
export function suggestionsFor(
  offered: readonly FieldDescriptor[],
  ours: readonly Field[],
  rows: readonly RemoteRecord[],
): Suggestion[] {
  const best = new Map(suggestMatches(offered, ours).map(({ origin, destination }) => [origin, destination]));
  return offered.map((origin) => {
    const destination = best.get(origin.name);
    const target = ours.find(({ name }) => name === destination);
    return {
      origin: { ...origin },
      ...(destination === undefined ? {} : { destination }),
      candidates: ours.map((field) => ({
        name: field.name,
        label: field.label,
        kind: field.kind,
        ...describeConversion(origin, field),
      })),
      samples: samples(origin, target ?? { ...origin, options: {} }, rows),
    };
  });
}

function samples(
  origin: FieldDescriptor,
  target: Pick<Field, 'kind' | 'isMulti' | 'options'>,
  rows: readonly RemoteRecord[],
): Suggestion['samples'] {
  const texts = rows.map(({ values }) => values.get(origin.name) ?? []).filter((list) => list.length > 0);
  return texts.slice(0, SAMPLES).map((list) => {
    const before = list.join(', ');
    const converted = convertValues(origin, target, list);
    return 'values' in converted
      ? { before, after: converted.values.join(', ') }
      : { before, problem: converted.problem };
  });
}
