/**
 * Takes out of a text what a stranger must not read, on its way into the support bundle: the secrets that
 * this node knows, and whatever has the look of one. Rather too much goes than too little.
 */
export function createScrub(secrets: readonly string[], home: string): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, REMOVED);
    if (home.length > 1) clean = clean.replaceAll(home, '~');
    for (const [pattern, instead] of LOOKS_SECRET) clean = clean.replace(pattern, instead);
    return clean;
  };
}

const REMOVED = '[removed]';

const LOOKS_SECRET: readonly [RegExp, string][] = [
  // User name and password of an address.
  [/(:\/\/)[^/\s"'<>@]*@/g, `$1${REMOVED}@`],
  // What follows the question mark of an address.
  [/\?[^\s"'<>)\\]+/g, `?${REMOVED}`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${REMOVED}`],
  [/\beyJ[\w-]+(\.[\w-]*){0,2}/g, REMOVED],
  [/-----BEGIN [^-]+-----[\s\S]*?(-----END [^-]+-----|$)/g, REMOVED],
  // From its first letter on: from each of them a row of dots would be looked through again.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, REMOVED],
  // Long runs of letters mixed with digits, as keys, hashes and tokens are; ids are digits alone.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g, REMOVED],
];
