import type { FieldKind } from '../../../base/vocabulary.ts';
import { said, type Said } from '../../../words/said.ts';

/** The kinds of columns, as people call them. */
export const KIND_NAMES: Readonly<Record<FieldKind, Said>> = {
  String: said`text`,
  Number: said`number`,
  DateTime: said`date and time`,
  Bool: said`yes or no`,
  Select: said`choice`,
  Email: said`email address`,
  Url: said`web address`,
  User: said`person`,
  Record: said`row of another list`,
  File: said`file`,
  Geometry: said`place on the map`,
};
