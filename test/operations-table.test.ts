// The table of all operations as a golden file: what exists, who reaches it, by which right, and what it refuses. A change
// of it is seen in the commit; `UPDATE_GOLDEN=1 bun test test/operations-table.test.ts` writes it anew.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnyOperation } from '../src/operations/operation.ts';
import { registry } from '../src/operations/registry.ts';

const GOLDEN = join(import.meta.dir, 'golden/operations.md');

function row(operation: AnyOperation): string {
  const { name, kind, access, scope, gate, agent, provisional, tool, rest, faults } = operation;
  const addresses = rest.map(({ method, path, alias }) => `${method} ${path}${alias ? ' (alias)' : ''}`);
  const cells = [
    ...[name, kind, access, scope ?? '', provisional ? 'yes' : '', agent ?? '', gate ?? '', tool ?? ''],
    ...[addresses.join('<br>'), [...faults].sort().join(', ')],
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the operations are those of the golden table', async () => {
  const head = ['operation', 'kind', 'access', 'scope', 'provisional', 'agent', 'gate', 'tool', 'addresses', 'faults'];
  const lines = [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...registry().map(row).sort(), ''];
  if (process.env['UPDATE_GOLDEN']) await Bun.write(GOLDEN, lines.join('\n'));
  expect(lines).toEqual((await Bun.file(GOLDEN).text()).split('\n'));
});
