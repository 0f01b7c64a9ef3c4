import type { FieldKind } from '../../../base/vocabulary.ts';
import { said, type Said } from '../../../words/said.ts';

export const KIND_NAMES: Readonly<Record<FieldKind, Said>> = {
  String: said('kind.text'),
  Number: said('kind.number'),
  DateTime: said('kind.date-time'),
  Bool: said('kind.bool'),
  Select: said('kind.choice'),
  Email: said('kind.email'),
  Url: said('kind.url'),
  User: said('kind.person'),
  Record: said('kind.row'),
  File: said('kind.file'),
  Geometry: said('kind.place'),
};
