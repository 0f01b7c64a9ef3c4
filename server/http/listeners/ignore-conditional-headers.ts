import type { RequestHandler } from 'express';

/**
 * Removes `If-None-Match`, so that conditional requests are answered in full: nothing here has an ETag, and for `*`
 * Express would answer 304.
 */
export const ignoreConditionalHeaders: RequestHandler = (req, _res, next) => {
  delete req.headers['if-none-match'];
  next();
};
