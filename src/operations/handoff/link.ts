// Makes a link by which an agent sends its person to a page: to finish the onboarding, to prove their identity, to approve. A
// provisional agent asks with it to be claimed (rules.md 3).
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { HandoffPurpose } from '../../schemas/account.ts';
import { iso, Time } from '../../schemas/wire.ts';
import { beginHandoff } from '../../steps/handoff/link.ts';

const LIFE_MS = 900_000;

export const handoffLink = command({
  name: 'handoff.link',
  noun: 'Links with which an agent sends its person to a page.',
  summary: 'Make a link for your human',
  description:
    'Works once, within 15 minutes, and is no sign-in. A provisional agent can request `onboarding` only: its human ' +
    'reads its history, signs in and claims it.',
  input: Type.Object({ purpose: HandoffPurpose }),
  output: Type.Object({ url: Type.String({ format: 'uri' }), expires_at: Time }),
  example: { purpose: 'onboarding' },
  effect: 'adds',
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'optional',
  secret: true,
  faults: ['provisional_account'],
  rest: [{ method: 'POST', path: '/api/handoff/link' }],
  no_tool: 'A link for a person is theirs to open; tools name the page to open where one is needed.',
  load: async () => null,
  decide: (_state, { purpose }, ctx) => {
    if (ctx.principal.provisional && purpose !== 'onboarding') return fault('provisional_account');
    const { url, expires_at, effect } = beginHandoff({ purpose, agent: ctx.agent }, LIFE_MS, ctx);
    return { reply: { url, expires_at: iso(expires_at) }, effects: [effect] };
  },
});
