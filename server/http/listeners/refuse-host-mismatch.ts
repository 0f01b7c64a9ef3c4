import type { RequestHandler } from 'express';

const IN_FIRST_LINE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** Answers 400 `request.host` to a request for two hosts: a proxy may have used the other one. */
export const refuseHostMismatch: RequestHandler = (req, res, next) => {
  const hosts = req.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
  const inFirstLine = IN_FIRST_LINE.exec(req.url)?.[1];
  if (hosts.length <= 1 && (inFirstLine === undefined || inFirstLine === req.headers.host)) next();
  else
    res
      .status(400)
      .json({ error: { code: 'request.host', message: 'The request names two hosts. Send one.' } });
};
