import type { RequestHandler } from 'express';

/** Refuses a request that names two hosts: whoever stands in front of us may have gone by the other one. */
export const oneHost: RequestHandler = (req, res, next) => {
  const hosts = req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length <= 1) next();
  else
    res
      .status(400)
      .json({ error: { code: 'request.host', message: 'The request names two hosts. Send one.' } });
};
