// The balance of the acting agent's wallet over time, for charts.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { HISTORY_BY } from '../../domain/money/history.ts';
import { DAY } from '../../domain/text/day.ts';
import { namedObject } from '../../schemas/named.ts';
import { Cents } from '../../schemas/wire.ts';
import { readHistory } from '../../steps/money/history.ts';

export const walletHistory = query({
  name: 'wallet.history',
  needed_by: 'the chart of the balance in the app',
  summary: 'Read the balance over time',
  description:
    'The balance at the end of each day (UTC), from the day before the first posting. A wallet older than three months has one ' +
    'point a week (from Monday), a wallet older than two years one point a month. The last point is the current balance.',
  input: Type.Object({}),
  output: namedObject('WalletHistory', 'the balance of a wallet over time', {
    by: Type.Enum([...HISTORY_BY]),
    points: Type.Array(
      Type.Object({
        from: Type.String({ pattern: DAY, description: 'the first day (UTC) of the day, week or month' }),
        balance_cents: Cents,
      }),
    ),
  }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  even_deactivated: true,
  rest: [{ method: 'GET', path: '/api/wallet/history' }],
  no_tool: 'It is the data of a chart; the tool mesh_list_transactions lists each posting with the balance after it.',
  run: (read, _input, ctx) => readHistory(read, actor(ctx).id, ctx.now_ms),
});
