import type { Node } from '../model.ts';

/** What someone of this office may do, least first: read; expose, map, edit and sync; everything. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Whom a credential stands for (docs/interface.md: Who may). `asked` is somebody whom we asked to pair, by the token
 * that we sent along: it opens the answer to that, yes or no, and nothing else.
 */
export type Identity =
  | { readonly kind: 'user'; readonly userID: string; readonly role: Role }
  | { readonly kind: 'node'; readonly node: Node }
  | { readonly kind: 'asked'; readonly node: Node; readonly token: string };

/** Whether `role` includes all that `least` may do. */
export function roleCovers(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
