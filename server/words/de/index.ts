import { computer } from './computer.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { partners } from './partners.ts';
import { standing } from './standing.ts';
import { withdrawn } from './withdrawn.ts';

/** Every sentence of the node in German, by its English text. A test tells which are missing or left over. */
export const german: Readonly<Record<string, string>> = {
  ...lists,
  ...partners,
  ...conversions,
  ...standing,
  ...computer,
  ...withdrawn,
};
