// Starts or continues the payout connection of an account: a page of the processor on which a person gives their identity and bank
// account. A repeated call continues the same connection.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { accountById, grantById, keyById } from '../../../db/queries/identity.ts';
import { payeeById } from '../../../db/queries/processor.ts';
import type { ConnectorColumn } from '../../../db/schema/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { connectionName } from '../../domain/money/payout.ts';
import type { Processor } from '../../outbound/processor/processor.ts';
import { namedObject } from '../../schemas/named.ts';
import { registrarOf } from '../../steps/key.ts';
import { askProcessor } from '../../steps/outside.ts';
import { followPayeeLater, NOT_CONNECTED } from '../../steps/payee/follow.ts';
import { lookAtPayee } from './follow/ask.ts';

async function nameOf(
  read: Read['peek'],
  { by, by_id: id }: Pick<ConnectorColumn, 'by' | 'by_id'>,
): Promise<string | null> {
  if (by === 'sessions') return null;
  if (by === 'api_keys') return (await read(keyById, { id }))?.name ?? null;
  return (await read(grantById, { id }))?.client_name ?? null;
}

/** The credential that asked; a key that started a connection stays named when its person continues it. */
async function readConnector(
  { peek }: Read,
  ctx: Ctx,
  before: ConnectorColumn | null,
): Promise<ConnectorColumn | null> {
  const asks = registrarOf(ctx, actor(ctx));
  if (asks === null || (asks.by === 'sessions' && before !== null)) return before;
  return { by: asks.by, by_id: asks.by_id, name: await nameOf(peek, asks) };
}

const NOTE =
  'A person has to open this address in a browser and finish there; do not share it. Nothing is paid out before.';

interface Begun {
  readonly row: Row<'payees'>;
  readonly resumed: boolean;
}

/** The account's row; a new connection starts where there is none, or after another processor or a disconnection. */
async function begin(
  read: Read,
  ctx: Ctx,
  processor: Processor,
): Promise<Decision<Begun, 'already_connected' | 'conflict'>> {
  const { id: agent_id, account_id } = actor(ctx);
  const row = await read(payeeById, { id: account_id });
  const resumed = row?.processor === processor.name;
  if (resumed && row.payouts_enabled === 1) return fault('already_connected');
  const connected_by = await readConnector(read, ctx, resumed ? row.connected_by : null);
  const asked = { agent_id, connected_by, updated_at: ctx.now_ms };
  const n = row ? row.n + 1 : 0;
  const fresh = { ...NOT_CONNECTED, ...asked, processor: processor.name, n, created_at: ctx.now_ms };
  const set = resumed ? asked : fresh;
  const made = { ...(row ?? { id: account_id, version: 1, ...fresh }), ...set };
  const again = followPayeeLater({ ...made, created_at: ctx.now_ms }, processor.livemode, ctx.now_ms);
  const effects: Effect<'conflict'>[] = [
    row ? patch('payees', row, set) : insert('payees', made, fault('conflict')),
    ...(again ? [again] : []),
  ];
  return { reply: { row: made, resumed }, effects };
}

export const payeeConnect = flow({
  name: 'payee.connect',
  noun: 'Payout accounts.',
  summary: 'Connect a payout account',
  description:
    'Returns the URL of a page of the payment processor. A person has to finish it in a browser. Once payouts are possible, ' +
    'a mail tells the person of the account which bank it is and which credential requested it.',
  input: Type.Object({}),
  output: namedObject('PayeeConnection', 'the page for connecting a payout account', {
    success: Type.Boolean(),
    onboarding_url: Type.String({ description: 'for the account’s person only' }),
    resumed: Type.Boolean({ description: 'it was started before' }),
    note: Type.String(),
  }),
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  agent: 'required',
  even_deactivated: true,
  faults: ['already_connected', 'conflict', 'processor_not_configured', 'processor_unavailable'],
  rest: [{ method: 'POST', path: '/api/payments/connect' }],
  tools: [{ name: 'mesh_payout_setup', title: 'Connect a payout account', set: 'wallet' }],
  run: async (_input, ctx, ports) => {
    const { processor } = ports;
    if (!processor) return fault('processor_not_configured');
    const { account_id } = actor(ctx);
    // The person may have finished just now.
    await lookAtPayee(ctx, ports, account_id);
    const begun = await ctx.turn({ attempt: (read) => begin(read, ctx, processor) });
    if (isFault(begun)) return begun;
    const { row, resumed } = begun.reply;
    const { email = null } = (await ctx.read(accountById, { id: account_id })) ?? {};
    const { external_id, created_at } = row;
    const return_url = `${ctx.settings.app_url}/payouts`;
    const id = connectionName(row);
    const called = await askProcessor(ports, processor, (open) =>
      open.openPayee({ id, external_id, created_at, email, return_url }),
    );
    if (called.outcome !== 'done') return fault('processor_unavailable');
    const { external_id: named, url } = called.value;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const now = await read(payeeById, { id: account_id });
        // Null where it was disconnected meanwhile.
        const own = now?.processor === processor.name && now.n === row.n ? now : null;
        const known = own && own.external_id !== named ? [patch('payees', own, { external_id: named })] : [];
        return { reply: { success: true, onboarding_url: url, resumed, note: NOTE }, effects: known };
      },
    });
  },
});
