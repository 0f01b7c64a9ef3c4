import { z } from 'zod';

/** A package-lock.json, as far as it says what ships. */
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
      deprecated: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

/** The answer of `npm audit --json` if it could ask. */
const auditReport = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      nodes: z.array(z.string()),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string().optional() })])),
    }),
  ),
});

export interface Hole {
  readonly name: string;
  readonly severity: string;
  /** The titles of the advisories, with their addresses. */
  readonly advisories: readonly string[];
}

/** Packages installed for development only whose code nevertheless goes to the user. */
export interface BundledDev {
  readonly name: string;
  /** Its dependencies ship as well. */
  readonly withDependencies: boolean;
}

/**
 * Returns the places in node_modules of all packages that ship: those that aren't for development, and `bundled`, of
 * which it throws for one that isn't installed.
 */
export function shippedPlaces(lock: unknown, bundled: readonly BundledDev[]): Set<string> {
  const { packages } = lockfile.parse(lock);
  const places = new Set(
    Object.entries(packages).flatMap(([place, { dev }]) => (place !== '' && dev !== true ? [place] : [])),
  );
  /** Adds a package's place; with `deep` also those of its dependencies. */
  const addPlace = (place: string, deep: boolean): void => {
    const found = packages[place];
    if (!found || places.has(place)) return;
    places.add(place);
    if (!deep) return;
    for (const name of Object.keys(found.dependencies ?? {})) {
      const next = resolvePlace(name, place, packages);
      if (next !== undefined) addPlace(next, true);
    }
  };
  for (const { name, withDependencies } of bundled) {
    const place = `node_modules/${name}`;
    if (!packages[place]) throw new Error(`${name} is said to ship, but is not installed.`);
    addPlace(place, withDependencies);
  }
  return places;
}

/**
 * Returns what the lockfile says against packages that ship: they were given up, run programs at installation, or lack
 * a digest. It knows no vulnerabilities.
 */
export function findDoubts(lock: unknown, shipped: ReadonlySet<string>): string[] {
  const { packages } = lockfile.parse(lock);
  return [...shipped].flatMap((place) => {
    const { deprecated, hasInstallScript, integrity } = packages[place] ?? {};
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [
      ...(deprecated === undefined ? [] : [`${name} was given up by its makers: ${deprecated}`]),
      ...(hasInstallScript ? [`${name} runs a program when it is installed`] : []),
      ...(integrity?.startsWith('sha512-') ? [] : [`${name} has no SHA-512 digest in the lockfile`]),
    ];
  });
}

/** Returns the place where Node finds the package `name` from within `place`; undefined if nowhere. */
function resolvePlace(
  name: string,
  place: string,
  packages: Readonly<Record<string, unknown>>,
): string | undefined {
  for (let from = place; ; from = from.slice(0, Math.max(from.lastIndexOf('node_modules/') - 1, 0))) {
    const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, candidate)) return candidate;
    if (from === '') return undefined;
  }
}

/** Returns packages that ship with vulnerabilities of their own; undefined for no report, as without the registry. */
export function findHoles(report: unknown, shipped: ReadonlySet<string>): Hole[] | undefined {
  const parsed = auditReport.safeParse(report);
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.vulnerabilities).flatMap(([name, { severity, nodes, via }]) => {
    // A package that only depends on one with a hole is listed as well; the hole itself says enough.
    const advisories = via.flatMap((each) =>
      typeof each === 'string' ? [] : [`${each.title} ${each.url ?? ''}`.trim()],
    );
    return advisories.length > 0 && nodes.some((place) => shipped.has(place))
      ? [{ name, severity, advisories }]
      : [];
  });
}
