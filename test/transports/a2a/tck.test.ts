// The mandatory and the capability cases of the A2A test kit for JSON-RPC, one by one under their names, against the agent of the
// service and against an ordinary one.
import { beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../../support/agents.ts';
import { sharedService } from '../../support/opened.ts';
import { callSut, messageOf, type Sut, type TckCase } from './tck.ts';
import { CAPABILITIES } from './tck-capabilities.ts';
import { LISTS } from './tck-lists.ts';
import { MANDATORY } from './tck-mandatory.ts';

const CASES: readonly TckCase[] = [...MANDATORY, ...LISTS, ...CAPABILITIES];

const t = sharedService();
let owner: TestAgent;
beforeAll(async () => {
  // The receiver that the cases name is never reached, but has to be somewhere.
  t.zone.setAddresses('example.com', ['93.184.215.14']);
  owner = await newAgent(t, { handle: 'owner', verified: true, pro: true });
});

let callers = 0;

/** A fresh caller for each case, who never met the agent. */
async function sutOf(kind: 'platform' | 'ordinary'): Promise<Sut> {
  callers += 1;
  const { key } = await newAgent(t, { handle: `caller_${callers}`, verified: true, pro: true });
  return { t, handle: kind === 'platform' ? 'concierge' : owner.handle, key };
}

test('each case of the kit stands in the table once, with what it asserts or why it cannot apply', () => {
  const names = CASES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, run, reason } of CASES) expect([name, run === undefined]).toEqual([name, reason !== undefined]);
});

describe.each(['platform', 'ordinary'] as const)('of the %s agent', (kind) => {
  const cases = CASES.filter(({ only, run }) => run && (only ?? kind) === kind);
  for (const { name, run } of cases) {
    test(name, async () => {
      await run?.(await sutOf(kind));
    });
  }
});

test('a context that a client made up is refused by its name, as the protocol wants where none can be accepted', async () => {
  const sut = await sutOf('ordinary');
  const { body } = await callSut(sut, 'SendMessage', { message: messageOf('x', { contextId: 'a-context-of-mine' }) });
  expect(body.error).toMatchObject({ code: -32602, data: [{ fieldViolations: [{ field: 'message.contextId' }] }, {}] });
});
