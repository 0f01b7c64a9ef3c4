/** Words of the interface that every room knows by the same name. */

/** The kinds of column that exist (protocol: field descriptor, `kind`). */
export const FIELD_KINDS = [
  'String',
  'Number',
  'DateTime',
  'Bool',
  'Select',
  'Email',
  'Url',
  'User',
  'Record',
  'File',
  'Geometry',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** How a partner speaks. Found out from what it sends, remembered, correctable by the user. */
export const DIALECTS = ['shape1', 'shape2', 'live'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The six states of a partner, worst first. */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export type State = (typeof STATES)[number];

/**
 * What the way to a partner is like, whatever else is the case: `none` before pairing is done, `failed` where an error
 * stands in it, `silent` where nothing gets through or nobody is heard, `paused` where a user stopped it.
 */
export const LINES = ['none', 'failed', 'silent', 'paused', 'open'] as const;
export type Line = (typeof LINES)[number];

/** The colours by which people tell partners apart, in the order in which they are given. */
export const COLOURS = ['plum', 'sky', 'brick', 'pine', 'rose', 'indigo', 'moss', 'sun'] as const;
export type Colour = (typeof COLOURS)[number];

/** The languages that Footbridge speaks, in the window, the shell and the node alike. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
