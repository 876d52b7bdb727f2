// The table of all operations as a golden file: what exists, who reaches it, by which right, and what it refuses; and the
// documents for readers of operations, events, states of money and errors. A change is seen in the commit; `UPDATE_GOLDEN=1 bun test
// test/operations-table.test.ts` writes all anew.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnyOperation } from '../src/contract/operation.ts';
import { registry } from '../src/operations/registry.ts';
import { errorsDocument } from './support/errors-document.ts';
import { eventsDocument, operationsDocument } from './support/operations-document.ts';
import { statesDocument } from './support/states-document.ts';

const GOLDEN = join(import.meta.dir, 'golden/operations.md');
const DOCUMENT = join(import.meta.dir, '../src/docs/operations.md');
const EVENTS = join(import.meta.dir, '../src/docs/events.md');
const ERRORS = join(import.meta.dir, '../src/docs/errors.md');
const STATES = join(import.meta.dir, '../src/docs/states.md');

function row(operation: AnyOperation): string {
  const { name, kind, effect, access, scope, gate, agent, provisional, tools = [], rest, faults } = operation;
  const addresses = rest.map(({ method, path, alias }) => `${method} ${path}${alias ? ' (alias)' : ''}`);
  const cells = [
    ...[name, kind, effect, access, scope ?? '', provisional ? 'yes' : '', agent ?? '', gate ?? ''],
    ...[tools.map((tool) => tool.name).join('<br>'), addresses.join('<br>'), [...faults].sort().join(', ')],
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the operations are those of the golden table', async () => {
  const head = [
    ...['operation', 'kind', 'effect', 'access', 'scope', 'provisional', 'agent', 'gate', 'tools', 'addresses'],
    'faults',
  ];
  const lines = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...registry().map(row).sort(), ''];
  if (process.env['UPDATE_GOLDEN']) await Bun.write(GOLDEN, lines.join('\n'));
  expect(lines).toEqual((await Bun.file(GOLDEN).text()).split('\n'));
});

test.each([
  [DOCUMENT, () => operationsDocument(registry())],
  [EVENTS, eventsDocument],
  [STATES, statesDocument],
  [ERRORS, errorsDocument],
])('%s is what the declarations give', async (file, made) => {
  const document = made();
  if (process.env['UPDATE_GOLDEN']) await Bun.write(file, document);
  expect(document.split('\n')).toEqual((await Bun.file(file).text()).split('\n'));
});
