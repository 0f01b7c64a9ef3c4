import type { z } from 'zod';
import { envelope } from '../common.ts';
import * as compose from '../wire/compose.ts';
import type { Parameter, Variant } from './operation.ts';

export const tag = 'Local data';
export const namespaces = '/compose/namespace';
export const modules = `${namespaces}/{namespaceID}/module`;
export const records = `${modules}/{moduleID}/record`;

/** Describes an answer with this payload, under its usual name. */
export const answerVariant = (schema: z.ZodType, payload: unknown): Variant => ({
  shape: 'answer',
  schema: envelope(schema),
  example: { response: payload },
});
export const body = (schema: z.ZodType, example: unknown): Variant[] => [{ shape: 'body', schema, example }];
export const success: Variant = {
  shape: 'answer',
  schema: compose.success,
  example: { success: { message: 'OK' } },
};
/**
 * Describes a text parameter.
 * @param bounds such as its length or an enumeration
 */
export const textParameter = (
  name: string,
  description: string,
  bounds: Parameter['schema'] = {},
): Parameter => ({ name, description, schema: { type: 'string', ...bounds } });

export const ONE_CHARACTER = { minLength: 1, maxLength: 1 };

/**
 * Describes the parameters for paging.
 * @param absent the default of `limit`, in words
 */
export const pageParameters = (absent: string): readonly Parameter[] => [
  {
    name: 'limit',
    description: `how many; 0: all; ${absent} when absent`,
    schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  },
  textParameter('pageCursor', 'the nextPage of the answer before', { maxLength: 8192 }),
  {
    name: 'incTotal',
    description: 'count all that fit',
    schema: { enum: ['true', 'false', '1', '0'] },
  },
];
