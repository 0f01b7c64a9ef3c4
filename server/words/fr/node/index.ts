import { computer } from './computer.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { partners } from './partners.ts';
import { standing } from './standing.ts';

/** Every sentence of the node in French. */
export const fr = { ...standing, ...partners, ...lists, ...conversions, ...computer };
