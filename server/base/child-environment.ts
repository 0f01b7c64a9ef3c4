/** What only this process may know: secrets, addresses with a password in them, and the keys of a database. */
const OURS = /^(FOOTBRIDGE_|PG[A-Z])/i;

/** The environment for a program that isn't Footbridge, such as a browser: without what is Footbridge's own. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
