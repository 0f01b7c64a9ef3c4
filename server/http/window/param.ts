import type { Request } from 'express';
import { id } from '../../contract/common.ts';

/** The id in the path. @throws ZodError, answered with 400, when it is none */
export function param(req: Request, name: string): string {
  return id.parse(req.params[name]);
}
