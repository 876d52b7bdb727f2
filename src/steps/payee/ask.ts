// One look at how an account's payout connection stands: the processor is asked, and what it says is kept. Without an answer what was
// known stands.
import { payeeById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { connectionName } from '../../domain/money/payout.ts';
import { askProcessor } from '../money/ask-processor.ts';
import { followPayeeLater, settlePayee } from './follow.ts';

/** Asks and keeps; answers the row as it then is, null for an account that never connected. */
export async function lookAtPayee(ctx: FlowCtx, ports: FlowPorts, account_id: string): Promise<Row<'payees'> | null> {
  const { processor, clock } = ports;
  const row = await ctx.read(payeeById, { id: account_id });
  if (!row || processor?.name !== row.processor) return null;
  const { agent_id } = row;
  const found = await askProcessor(ports, processor, (asked) => asked.findPayee({ ...row, id: connectionName(row) }));
  if (found.outcome !== 'done') {
    const again = followPayeeLater(row, processor.livemode, clock.now());
    await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: again ? [again] : [] }) });
    return row;
  }
  const state = found.value;
  const now = { ...ctx, now_ms: clock.now() };
  const outcome = await ctx.turn({
    agent_id,
    attempt: (read) => settlePayee(read, now, ports, { asked: row, state, processor }),
  });
  // The processor's account backs another agent already: nothing of it is taken over.
  return isFault(outcome) ? row : outcome.reply;
}
