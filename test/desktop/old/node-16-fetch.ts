import { fetch, FormData, Headers, Request, Response } from 'undici';

/*
 * Node 16 has `fetch` behind a switch, which a packed app takes from nobody: there it is this one. Behind `node-16.ts`,
 * as undici itself needs what that one brings.
 */
if (!('fetch' in globalThis)) Object.assign(globalThis, { fetch, FormData, Headers, Request, Response });
