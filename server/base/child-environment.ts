/** Secrets, addresses with a password, database variables. */
const OURS = /^(FOOTBRIDGE_|PG[A-Z])/i;

/** Returns another program's environment, as a browser's, without Footbridge's own variables. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
