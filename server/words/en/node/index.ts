import { computer } from './computer.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { partners } from './partners.ts';
import { standing } from './standing.ts';

/** Every sentence of the node in English. The codes and the parts that each takes come from here; other languages must meet them. */
export const en = { ...standing, ...partners, ...lists, ...conversions, ...computer } as const;
