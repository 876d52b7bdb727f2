// Shows the purpose of an agent's link: the agent's name, and for an unclaimed agent also its activity so far, so that its person
// recognises it. For a claimed agent only its name is shown.
import { Type } from 'typebox';
import { threadsJoined, threadsOpened } from '../../../db/queries/conversation.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { HandoffPurpose, HandoffToken } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents, iso, NullableText, nullable, Time } from '../../schemas/wire.ts';
import { readHandoff } from '../../steps/session/find.ts';

/** The count of conversations stops here. */
const COUNTED_MAX = 100;

const Done = namedObject('AgentSoFar', 'the history of an unclaimed agent', {
  created_at: Time,
  conversations: Type.Integer(),
  balance_cents: Cents,
});

export const handoffRead = query({
  name: 'handoff.read',
  needed_by: 'the page that a handoff link opens',
  summary: 'Read what a handoff link asks for',
  input: Type.Object({ token: HandoffToken }),
  output: namedObject('HandoffPage', 'what a handoff link asks for', {
    purpose: HandoffPurpose,
    handle: NullableText,
    provisional: Type.Boolean(),
    done: nullable(Done),
  }),
  example: { token: SAMPLE.handoff_token },
  access: 'public',
  faults: ['not_found', 'gone'],
  run: async (read, { token }, ctx) => {
    const handoff = await readHandoff(read, token, ctx);
    if (isFault(handoff)) return handoff;
    const { purpose, agent } = handoff;
    if (agent?.provisional !== 1) return { purpose, handle: agent?.handle ?? null, provisional: false, done: null };
    const page = { agent_id: agent.id, before: HIGHEST_ID, limit: COUNTED_MAX };
    const [opened, joined, wallet] = await Promise.all([
      read(threadsOpened, page),
      read(threadsJoined, page),
      read(guardedBalance, { id: `wallet:${agent.id}` }),
    ]);
    const done = {
      created_at: iso(agent.created_at),
      conversations: opened.length + joined.length,
      balance_cents: wallet?.balance_cents ?? 0,
    };
    return { purpose, handle: agent.handle, provisional: true, done };
  },
});
