import type { Node } from '../model.ts';

/** From least to most rights: read; expose, map, edit and sync; everything. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** By credential (docs/interface.md: Who may). `asked` opens only the answer to our request. */
export type Identity =
  | { readonly kind: 'user'; readonly userID: string; readonly role: Role }
  | { readonly kind: 'node'; readonly node: Node }
  | { readonly kind: 'asked'; readonly node: Node; readonly token: string };

/** Returns whether a role allows all that `least` does. */
export function roleCovers(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
