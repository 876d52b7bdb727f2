// What src/docs/ lists is what there is: the libraries of package.json, the figures of /metrics, the addresses of
// operate.md.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTANCE } from '../../src/domain/instance.ts';
import { registry } from '../../src/operations/registry.ts';
import { foundRoutes } from '../../src/transports/found.ts';

const ROOT = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('each dependency has its sentence in libraries.md, and nothing else has one', () => {
  const rows = [...read('src/docs/libraries.md').matchAll(/^\| ([@a-z][^|]{1,80}) \| /gm)].map(
    ([, names]) => names ?? '',
  );
  const listed = rows.flatMap((names) => names.split(', ')).filter((name) => name !== 'library');
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  expect(listed.toSorted()).toEqual([...Object.keys({ ...dependencies, ...devDependencies })].toSorted());
});

test('the figures that operate.md names are those of /metrics', () => {
  const named = [...read('src/docs/operate.md').matchAll(/`(meshwork_[a-z_]+)/g)].map(([, name]) => name ?? '');
  const sources = read('src/transports/metrics.ts');
  const made = [...sources.matchAll(/'(meshwork_[a-z_]+)'/g)].map(([, name]) => name ?? '');
  expect(named.toSorted()).toEqual(made.toSorted());
});

const ADDRESSED = { base_url: 'https://mesh.example', app_url: 'https://mesh.example/app', instance: INSTANCE };

test('the addresses that operate.md names are those of operations', () => {
  const named = [...read('src/docs/operate.md').matchAll(/`(?:[A-Z]+ )?(\/(?:api|\.well-known)\/[^`?*]*)/g)];
  const fixed = foundRoutes({ settings: ADDRESSED, documents: { jwks: () => [] } }).map(({ path }) => path);
  const operations = registry().flatMap(({ rest }) => rest.map(({ path }) => path));
  const known = [...operations, ...fixed, '/.well-known/security.txt'];
  const paths = named.map(([, path]) => path ?? '').filter((path) => !path.endsWith('/'));
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !known.includes(path))).toEqual([]);
});

test('the calls that the documents tell of are those of operations, with fields that these take', () => {
  const operations = registry();
  const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
  const wrong = ['guide', 'negotiation', 'states', 'errors', 'security'].flatMap((name) => {
    const calls = [
      ...read(`src/docs/${name}.md`).matchAll(/`([A-Z]+) (\/(?:api|oauth)\/[^`?\s]*)(?:\?\S*)?(?: \{([^`]*)\})?`/g),
    ];
    expect(calls.length).toBeGreaterThan(3);
    return calls.filter(([, method, path = '', fields = '']) => {
      const operation = operations.find(({ rest }) =>
        rest.some((binding) => binding.method === method && shape(binding.path) === shape(path)),
      );
      const taken = Object.keys((operation?.input.properties ?? {}) as object);
      const named = fields.split(',').map((field) => field.replace(/[?:].*/, '').trim());
      return !operation || named.some((field) => field !== '' && field !== '…' && !taken.includes(field));
    });
  });
  expect(wrong.map(([call]) => call)).toEqual([]);
});
