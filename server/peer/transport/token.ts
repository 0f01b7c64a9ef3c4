import { z } from 'zod';

const claims = z.object({ exp: z.number().positive().max(8.64e12) });

/**
 * When a token ends, in milliseconds since the epoch, if it is a JWT that says so. Nothing is verified: the
 * token is the partner's business, and what it says only serves to warn in time (live tokens end after two hours).
 */
export function tokenExpiry(token: string): number | undefined {
  const [, middle, signature] = token.split('.');
  if (middle === undefined || signature === undefined || token.length > 16_384) return undefined;
  try {
    const parsed = claims.safeParse(JSON.parse(Buffer.from(middle, 'base64url').toString('utf8')));
    return parsed.success ? parsed.data.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
