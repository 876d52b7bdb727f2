// Writes what the binary is made of beside the packages: a bill of materials (CycloneDX 1.6) of the locked packages that the service
// uses, and the list of their licences. Run by scripts/package/make.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dir, '../..');
const [, , folder = '.', target = `${process.platform}-${process.arch}`] = process.argv;

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** The processors that it is for; all, where it names none. */
  readonly cpu?: readonly string[];
}

/** Where a package lies that another one at `from` imports; null where nobody installed it. */
function placeOf(name: string, from: string): string | null {
  for (let at = from; at.startsWith(ROOT); at = join(at, '..')) {
    const place = join(at, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
  }
  // What scripts/build got for another machine than this one.
  const place = join(ROOT, '.bun', `packages-${target}`, 'node_modules', name);
  return existsSync(place) ? place : null;
}

/** All packages that the service imports, and those that these import. */
async function closure(): Promise<readonly Package[]> {
  const found = new Map<string, Package>();
  const open: [name: string, from: string][] = Object.keys(manifest.dependencies).map((name) => [name, ROOT]);
  for (let next = open.pop(); next; next = open.pop()) {
    const place = placeOf(...next);
    if (place === null || found.has(place)) continue;
    // As npm wrote it.
    const read = (await Bun.file(join(place, 'package.json')).json()) as Package;
    if (read.cpu && !read.cpu.some((each) => target.endsWith(`-${each}`))) continue;
    found.set(place, read);
    const needs = { ...read.dependencies, ...read.optionalDependencies };
    for (const name of Object.keys(needs)) open.push([name, place]);
  }
  return [...found.values()].toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`));
}

const licenceOf = ({ license }: Package): string => (typeof license === 'string' ? license : 'see the package');

const packages = await closure();
const components = packages.map((each) => ({
  type: 'library',
  name: each.name,
  version: each.version,
  purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
  licenses: [{ license: { name: licenceOf(each) } }],
}));
const bun = { type: 'platform', name: 'bun', version: Bun.version, purl: `pkg:github/oven-sh/bun@${Bun.version}` };
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: 'meshwork', version: manifest.version } },
  components: [bun, ...components],
};
await Bun.write(join(folder, 'sbom.cdx.json'), `${JSON.stringify(document, null, 2)}\n`);
const lines = packages.map((each) => `${each.name} ${each.version}: ${licenceOf(each)}`);
await Bun.write(join(folder, 'LICENCES.txt'), `${[`bun ${Bun.version}: MIT`, ...lines].join('\n')}\n`);
