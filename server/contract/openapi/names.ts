import { z } from 'zod';
import * as compose from '../wire/compose.ts';
import * as footbridge from '../wire/footbridge.ts';
import * as live from '../wire/live.ts';
import * as shape1 from '../wire/shape1.ts';
import * as shape2 from '../wire/shape2.ts';
import * as upkeep from '../wire/upkeep.ts';

/** Schemas by their names in the document. */
export type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

const MODULES = {
  Shape1: shape1,
  Shape2: shape2,
  Live: live,
  Upkeep: upkeep,
  Footbridge: footbridge,
  Compose: compose,
};

/** Names the contract's exports: `node` of shape 1 is `Shape1Node`. Query strings are no schemas there. */
export function contractNames(): { requests: SchemaNames; answers: SchemaNames } {
  const requests: SchemaNames = z.registry();
  const answers: SchemaNames = z.registry();
  for (const [prefix, module] of Object.entries(MODULES)) {
    for (const [name, schema] of Object.entries(module)) {
      if (!(schema instanceof z.ZodType) || name.endsWith('Query')) continue;
      const names = /Request$|Change$/.test(name) ? requests : answers;
      if (!names.has(schema)) names.add(schema, { id: prefix + capital(name) });
    }
  }
  return { requests, answers };
}

/** Returns a name for a form of an operation's body. */
export function formName(operation: string, part: 'Request' | 'Answer', shape: string): string {
  const words = shape.split(/\W+/).filter(Boolean);
  return capital(operation) + part + words.map(capital).join('');
}

const capital = (word: string): string => (word[0] ?? '').toUpperCase() + word.slice(1);
