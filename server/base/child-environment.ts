/** These are secrets, addresses with a password, and database variables. */
const OURS = /^(FOOTBRIDGE_|PG[A-Z])/i;

/** Returns the environment for another program, such as a browser, without Footbridge's own variables. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)));
