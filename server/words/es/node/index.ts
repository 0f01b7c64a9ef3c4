import { computer } from './computer.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { partners } from './partners.ts';
import { standing } from './standing.ts';

/** Every sentence of the node in Spanish. */
export const es = { ...standing, ...partners, ...lists, ...conversions, ...computer };
