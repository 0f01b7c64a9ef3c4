/**
 * Removes from a text for the support bundle what a stranger must not read: known secrets, and whatever looks
 * like one. Rather too much than too little.
 */
export function createSecretRedactor(secrets: readonly string[], home: string): (text: string) => string {
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
  // User name and password in an address.
  [/(:\/\/)[^/\s"'<>@]*@/g, `$1${REMOVED}@`],
  // The query of an address.
  [/\?[^\s"'<>)\\]+/g, `?${REMOVED}`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${REMOVED}`],
  [/\beyJ[\w-]+(\.[\w-]*){0,2}/g, REMOVED],
  [/-----BEGIN [^-]+-----[\s\S]*?(-----END [^-]+-----|$)/g, REMOVED],
  // Anchored at its first letter: a row of dots would be scanned again from each of them.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, REMOVED],
  // Long runs of letters and digits, like keys, hashes and tokens; ids have only digits.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g, REMOVED],
];
