import type { LeftOut } from '../../base/vocabulary.ts';

type Places = readonly (readonly [what: LeftOut, place: RegExp])[];

const OF_XLSX: Places = [
  ['links', /^xl\/externalLinks\/externalLink/i],
  ['macros', /^xl\/(vbaProject\.bin$|macrosheets\/)/i],
  ['pictures', /^xl\/media\//i],
  ['charts', /^xl\/charts\/chart/i],
  ['comments', /^xl\/(comments|threadedComments\/)/i],
  ['pivots', /^xl\/pivotTables\//i],
];
const OF_ODS: Places = [
  ['macros', /^(Basic|Scripts)\/./],
  ['pictures', /^Pictures\/./],
  ['charts', /^Object [^/]*\/content\.xml$/],
];

const findParts = (places: Places, parts: readonly string[]): LeftOut[] =>
  places.filter(([, place]) => parts.some((part) => place.test(part))).map(([what]) => what);

export const leftOutOfXlsx = (parts: readonly string[]): LeftOut[] => findParts(OF_XLSX, parts);
export const leftOutOfOds = (parts: readonly string[]): LeftOut[] => findParts(OF_ODS, parts);
