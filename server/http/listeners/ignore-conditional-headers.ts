import type { RequestHandler } from 'express';

/** Removes `If-None-Match`: nothing here has an ETag, and for `*` Express would answer 304. */
export const ignoreConditionalHeaders: RequestHandler = (req, _res, next) => {
  delete req.headers['if-none-match'];
  next();
};
