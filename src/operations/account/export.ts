// Exports all data of the account, section by section and a slice at a time, so that answers stay small and other calls do not wait.
// Secrets, and data that only guards them, are left out.
import { Type } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { demandBehind, quotesBehind } from '../../../db/queries/demand.ts';
import { evidenceOf } from '../../../db/queries/dispute.ts';
import { listingsBehind, wholeEventsBehind } from '../../../db/queries/export.ts';
import { accountById, keysOfAccount, passkeysOfAccount, sessionsOfAccount } from '../../../db/queries/identity.ts';
import { invitationsOf } from '../../../db/queries/invitation.ts';
import {
  agentFrom,
  disputesOfEscrow,
  escrowsBought,
  escrowsSold,
  threadJoinedFrom,
  threadOpenedFrom,
} from '../../../db/queries/leaving.ts';
import { meetingsBehind } from '../../../db/queries/meeting.ts';
import { approvalsOf, modelCallsBehind, turnsOf } from '../../../db/queries/negotiation.ts';
import { notificationSettings, pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import { payoutsOfAgent } from '../../../db/queries/payout.ts';
import { fundingsOfAgent, payeeById, planTermsById } from '../../../db/queries/processor.ts';
import { providersOfAgent, routerCallsOf } from '../../../db/queries/router.ts';
import { subscriptionsEarned, subscriptionsPaid } from '../../../db/queries/subscription.ts';
import { walletById } from '../../../db/queries/wallet.ts';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { exported } from '../../../db/schema/personal-columns.ts';
import type { Row, TableName } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { fault } from '../../domain/fault.ts';
import { AccountView, LanguageName, OwnLanguage } from '../../schemas/account.ts';
import { EXPORT_CURSOR, exportedMatch, exportedMessage } from '../../schemas/export.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, nullable, Time } from '../../schemas/wire.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import {
  escrowOf,
  proposalsOf,
  subscriptionOf,
  type Taken,
  takeActions,
  takeKnowledge,
  takeMessages,
  takeReceipts,
} from '../../steps/export.ts';
import { newestMatches } from '../../steps/match/find.ts';
import { newestProposals } from '../../steps/negotiation/newest.ts';

/** Rows of a slice. */
const SLICE = 100;

/** Limits of an answer in rows and characters. */
const ROWS_MAX = 1_000;

const CHARS_MAX = 1_048_576;

interface Told {
  readonly account_id: string;
  readonly now_ms: number;
  readonly issuer: string;
  readonly documents: Pick<QueryPorts['documents'], 'sign'>;
}

type Section<Of> = readonly [
  name: string,
  take: (read: Read, of: Of, after: string, told: Told) => Promise<Taken<object>>,
];

/** A slice of rows that were read after an id, or newest first before one. */
function slice<T extends object>(table: TableName, rows: readonly T[], idOf: (row: T) => string): Taken<object> {
  const last = rows.length === SLICE ? rows.at(-1) : undefined;
  return { ...all(table, rows), after: last === undefined ? null : idOf(last) };
}

const idOf = ({ id }: { readonly id: string }): string => id;

const all = (table: TableName, rows: readonly object[]): Taken<object> => ({
  rows: rows.map((row) => exported(table, row)),
  after: null,
});

const before = (after: string): string => (after === '' ? HIGHEST_ID : after);

type Agent = Row<'agents'>;

function escrows(side: 'buyer' | 'seller'): Section<Agent>[1] {
  const query = side === 'buyer' ? escrowsBought : escrowsSold;
  return async (read, { id: agent_id }, after) => {
    const limit = SLICE / 10;
    const rows = await read.peek(query, { agent_id, after, limit });
    const whole = rows.map(async ({ id }) => {
      const [state, disputes] = await Promise.all([
        readEscrow(read, id),
        read.peek(disputesOfEscrow, { escrow_id: id }),
      ]);
      const evidence = (await Promise.all(disputes.map((row) => read.peek(evidenceOf, { dispute_id: row.id })))).flat();
      const { escrow = null, milestones = [], earlier = [] } = state ?? {};
      const said = evidence.filter(({ by }) => by === agent_id);
      const own = escrow ? escrowOf(escrow, agent_id) : {};
      return {
        ...own,
        side,
        milestones: milestones.map((row) => exported('milestones', row)),
        earlier_deliverables: earlier,
        own_evidence: said.map((row) => exported('dispute_evidence', row)),
      };
    });
    return { rows: await Promise.all(whole), after: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  };
}

function subscriptions(query: typeof subscriptionsPaid): Section<Agent>[1] {
  return async (read, { id }, after) => {
    const rows = await read.peek(query, { agent_id: id, before: before(after), limit: SLICE });
    return slice(
      'subscriptions',
      rows.map((row) => subscriptionOf(row, id)),
      idOf,
    );
  };
}

/** Conversations searched for one slice; few have meetings. */
const THREADS_MAX = 50;

/** Meetings in the conversations that the agent opened, then in the others. Each tells whether the agent proposed it. */
async function takeMeetings(read: Read, agent_id: string, after: string, limit: number): Promise<Taken<object>> {
  const rows: object[] = [];
  let [side = 'opener', from = '', behind = ''] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < limit; looked++) {
    const thread = await read.peek(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from, behind] = ['other', '', ''];
      continue;
    }
    const wanted = limit - rows.length;
    const asked = { conversation_id: thread.id, after: thread.id === from ? behind : '', limit: wanted };
    const found = await read.peek(meetingsBehind, asked);
    rows.push(...found.map((row) => ({ ...exported('meetings', row), own: row.by_id === agent_id })));
    // After the last meeting of a conversation the next conversation begins.
    [from, behind] = found.length < wanted ? [`${thread.id}~`, ''] : [thread.id, found.at(-1)?.id ?? ''];
  }
  return { rows, after: `${side}.${from}.${behind}` };
}

/** Above the twelve turns of an agent in one conversation. */
const TURNS_MAX = 100;

async function takeTurns(read: Read, { id: agent_id }: { readonly id: string }, after: string): Promise<Taken<object>> {
  const rows: object[] = [];
  let [side = 'opener', from = ''] = after === '' ? [] : after.split('.');
  for (let looked = 0; looked < THREADS_MAX && rows.length < SLICE; looked += 1) {
    const thread = await read.peek(side === 'opener' ? threadOpenedFrom : threadJoinedFrom, { agent_id, from });
    if (!thread) {
      if (side === 'other') return { rows, after: null };
      [side, from] = ['other', ''];
      continue;
    }
    rows.push(...(await read.peek(turnsOf, { conversation_id: thread.id, agent_id, limit: TURNS_MAX })));
    // No id sorts between an id and `id~`.
    from = `${thread.id}~`;
  }
  return { rows, after: `${side}.${from}` };
}

/** Meetings, proposals and decisions of an agent's conversations. */
const TALKS: readonly Section<Agent>[] = [
  ['meetings', (read, { id }, after) => takeMeetings(read, id, after, SLICE)],
  [
    'proposals',
    async (read, { id }, after) => {
      const found = await newestProposals(read.peek, {
        agent_id: id,
        after: after || null,
        limit: SLICE,
        waiting_at: null,
      });
      const rows = found.map(({ proposal }) => proposal);
      const { after: next } = slice('proposals', rows, idOf);
      return { rows: proposalsOf(rows, id), after: next };
    },
  ],
  [
    'approvals',
    async (read, { id }, after) =>
      slice('approvals', await read.peek(approvalsOf, { agent_id: id, after, limit: SLICE }), idOf),
  ],
  ['actions', (read, { id }, after) => takeActions(read, id, after || HIGHEST_ID)],
  ['turns', takeTurns],
  [
    'model_calls',
    async (read, { id }, after) =>
      slice('model_calls', await read.peek(modelCallsBehind, { agent_id: id, after, limit: SLICE }), idOf),
  ],
];

const OF_AGENTS: readonly Section<Agent>[] = [
  ['agents', async (_read, agent) => all('agents', [agent])],
  ['claims', async (read, { id }) => all('claims', await read.peek(claimsOfAgent, { agent_id: id }))],
  [
    'listings',
    async (read, { id }, after) =>
      slice('listings', await read.peek(listingsBehind, { agent_id: id, after, limit: SLICE }), idOf),
  ],
  [
    'matches',
    async (read, { id }, after) => {
      const rows = await newestMatches(read, { agent_id: id, before: before(after), limit: SLICE });
      const shown = rows.filter(({ shown_to }) => shown_to.includes(id));
      const { after: next } = slice('matches', rows, ({ match_id }) => match_id);
      return { rows: shown.map((row) => exportedMatch(row, id)), after: next };
    },
  ],
  [
    'messages',
    async (read, { id }, after) => {
      const taken = await takeMessages(read, id, after, SLICE);
      return { rows: taken.rows.map(exportedMessage), after: taken.after };
    },
  ],
  [
    'events',
    async (read, { id }, after) =>
      slice(
        'events',
        await read.peek(wholeEventsBehind, { agent_id: id, seq: Number(after || 0), limit: SLICE }),
        ({ seq }) => String(seq),
      ),
  ],
  ['webhooks', async (read, { id }) => all('webhooks', await read.peek(webhooksOfAgent, { agent_id: id }))],
  [
    'wallets',
    async (read, { id }) => {
      const wallet = await read.peek(walletById, { id });
      return all('wallets', wallet ? [wallet] : []);
    },
  ],
  [
    'receipts',
    async (read, { id: agent_id }, after, { documents, issuer, now_ms }) => {
      const cursor = after === '' ? undefined : after;
      const { items, next_cursor } = await takeReceipts(read, documents, { agent_id, cursor, issuer, now_ms });
      return { rows: items, after: next_cursor };
    },
  ],
  ['escrows', escrows('buyer')],
  ['escrows', escrows('seller')],
  ['subscriptions', subscriptions(subscriptionsPaid)],
  ['subscriptions', subscriptions(subscriptionsEarned)],
  [
    'fundings',
    async (read, { id }, after) =>
      slice('fundings', await read.peek(fundingsOfAgent, { agent_id: id, before: before(after), limit: SLICE }), idOf),
  ],
  [
    'payouts',
    async (read, { id }, after) =>
      slice('payouts', await read.peek(payoutsOfAgent, { agent_id: id, before: before(after), limit: SLICE }), idOf),
  ],
  ['providers', async (read, { id }) => all('providers', await read.peek(providersOfAgent, { agent_id: id }))],
  [
    'calls',
    async (read, { id }, after) =>
      slice(
        'router_calls',
        await read.peek(routerCallsOf, { agent_id: id, before: before(after), limit: SLICE }),
        idOf,
      ),
  ],
  [
    'requests',
    async (read, { id }, after) => {
      const rows = await read.peek(demandBehind, { agent_id: id, after, limit: SLICE });
      // The ids of notified sellers are left out.
      return slice(
        'demand_requests',
        rows.map((row) => ({ ...row, woken: row.woken.length })),
        idOf,
      );
    },
  ],
  [
    'quotes',
    async (read, { id }, after) =>
      slice('demand_quotes', await read.peek(quotesBehind, { agent_id: id, after, limit: SLICE }), idOf),
  ],
  ...TALKS,
  ['knowledge', (read, { id }, after) => takeKnowledge(read, id, before(after))],
];

const OF_ACCOUNT: readonly Section<string>[] = [
  [
    'keys',
    async (read, account_id, after, { now_ms }) => {
      const asked = { account_id, now_ms, before: before(after), limit: SLICE };
      const rows = await read.peek(keysOfAccount, asked);
      return slice(
        'api_keys',
        rows.map(({ key, last_used_at }) => ({ ...key, last_used_at })),
        idOf,
      );
    },
  ],
  [
    'sessions',
    async (read, account_id, after, { now_ms }) =>
      slice(
        'sessions',
        await read.peek(sessionsOfAccount, { account_id, now_ms, before: before(after), limit: SLICE }),
        idOf,
      ),
  ],
  [
    'invitations',
    async (read, account_id, after) =>
      slice('invitations', await read.peek(invitationsOf, { account_id, before: before(after), limit: SLICE }), idOf),
  ],
  ['passkeys', async (read, account_id) => all('passkeys', await read.peek(passkeysOfAccount, { account_id }))],
  [
    'browsers',
    async (read, account_id) => all('push_subscriptions', await read.peek(pushSubscriptionsOfAccount, { account_id })),
  ],
  [
    'settings',
    async (read, account_id) => {
      const settings = await read.peek(notificationSettings, { id: account_id });
      return all('notification_settings', settings ? [settings] : []);
    },
  ],
  [
    'payout_accounts',
    async (read, account_id) => {
      const payee = await read.peek(payeeById, { id: account_id });
      return all('payees', payee ? [payee] : []);
    },
  ],
  [
    'plans',
    async (read, account_id) => {
      const term = await read.peek(planTermsById, { id: account_id });
      return all('plan_terms', term ? [term] : []);
    },
  ],
];

/** Where an answer begins: in a section of an agent, or, after the last agent, of the account. */
interface Place {
  readonly agent_id: string | null;
  readonly section: number;
  readonly after: string;
}

const SHAPE = /^(-|[0-9a-f~-]*)_(\d{1,2})_([\w.~-]*)$/;

/** The place that a cursor names; without a valid one the beginning. */
function placeOf(cursor: string | undefined): Place {
  const [, agent, section = '0', after = ''] = SHAPE.exec(cursor ?? '') ?? [];
  return { agent_id: agent === '-' ? null : (agent ?? ''), section: Number(section), after };
}

const cursorOf = ({ agent_id, section, after }: Place): string => `${agent_id ?? '-'}_${section}_${after}`;

/** A slice with its section's name, and where the next one begins: null after the last. */
type Step = { readonly name: string; readonly rows: readonly object[]; readonly next: Place | null };

/** Appended to an id, it sorts before the next agent. */
const NEXT = '~';

function behind<Of>(
  at: Place,
  sections: readonly Section<Of>[],
  after: string | null,
  end: Place | null,
): Place | null {
  if (after !== null) return { ...at, after };
  return at.section + 1 < sections.length ? { ...at, section: at.section + 1, after: '' } : end;
}

async function takeStep(read: Read, at: Place, told: Told): Promise<Step> {
  const { account_id } = told;
  const agent = at.agent_id === null ? null : await read.peek(agentFrom, { account_id, from: at.agent_id });
  if (agent) {
    const here = agent.id === at.agent_id ? at : { agent_id: agent.id, section: 0, after: '' };
    const [name, take] = OF_AGENTS[here.section] ?? ['agents', async () => all('agents', [])];
    const { rows, after } = await take(read, agent, here.after, told);
    const end = { agent_id: `${agent.id}${NEXT}`, section: 0, after: '' };
    return { name, rows, next: behind(here, OF_AGENTS, after, end) };
  }
  const own = at.agent_id === null ? at : { agent_id: null, section: 0, after: '' };
  const [name, take] = OF_ACCOUNT[own.section] ?? ['keys', async () => all('api_keys', [])];
  const { rows, after } = await take(read, account_id, own.after, told);
  return { name, rows, next: behind(own, OF_ACCOUNT, after, null) };
}

/** As much as fits into one answer, from a cursor on. */
async function takeAccount(
  read: Read,
  told: Told,
  cursor: string | undefined,
): Promise<{ readonly sections: Record<string, object[]>; readonly next_cursor: string | null }> {
  const names = [...OF_AGENTS, ...OF_ACCOUNT].map(([name]) => name);
  const sections: Record<string, object[]> = Object.fromEntries(names.map((name) => [name, []]));
  let at: Place | null = placeOf(cursor);
  let chars = 0;
  let rows_taken = 0;
  while (at !== null && rows_taken < ROWS_MAX && chars < CHARS_MAX) {
    const { name, rows, next }: Step = await takeStep(read, at, told);
    sections[name]?.push(...rows);
    rows_taken += rows.length;
    chars += JSON.stringify(rows).length;
    at = next;
    // Reads of SQLite block the thread; this lets other calls run between two slices.
    await new Promise(setImmediate);
  }
  return { sections, next_cursor: at && cursorOf(at) };
}

export const accountExport = query({
  name: 'account.export',
  summary: 'Export everything',
  description:
    'All stored data about you: account, keys, sessions, settings, payout account, plan, and for each agent its profile, proofs, listings, matches, messages, events, webhooks, wallet, receipts, escrows, subscriptions, fundings, payouts, requests, quotes, meetings, proposals with its decisions, turns with their reasons, offers of capabilities, routed calls and knowledge. No secrets. A page holds up to some thousand rows; while `next_cursor` is not null, pass it as `cursor` and append to each section.',
  input: Type.Object({ cursor: EXPORT_CURSOR }),
  output: namedObject('AccountExport', 'all stored data of an account, or one page of it', {
    exported_at: Time,
    account: namedObject('ExportedAccount', 'the account itself', {
      ...AccountView.properties,
      language: OwnLanguage,
      seen_language: nullable(
        LanguageName,
        'of the browser of the last sign-in: that of letters while `language` is null',
      ),
    }),
    sections: Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())), {
      description: 'stored rows, by section',
    }),
    next_cursor: nullable(Type.String(), 'null: this is the last page'),
  }),
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/account/export' }],
  run: async (read, { cursor }, { account_id, now_ms, settings }, { documents }) => {
    const account = await read(accountById, { id: account_id });
    if (!account?.email) return fault('not_found');
    const { id, email, plan, language, seen_language, created_at } = account;
    const told = { account_id, now_ms, issuer: settings.base_url, documents };
    const { sections, next_cursor } = await takeAccount(read, told, cursor);
    return {
      exported_at: iso(now_ms),
      account: { id, email, plan, language, seen_language, created_at: iso(created_at) },
      sections: sections as Record<string, Record<string, unknown>[]>,
      next_cursor,
    };
  },
});
