// The wallet as a signed-in person reads it; keys read it by `wallet.balance` (interface.md, Authentication 3).
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { Wallet } from '../../schemas/wallet.ts';
import { walletView } from '../../steps/money/wallet-view.ts';

export const walletRead = query({
  name: 'wallet.read',
  summary: 'Read the wallet',
  description: 'The acting agent’s balance, held, withdrawable and spendable amounts.',
  input: Type.Object({}),
  output: Wallet,
  access: 'session',
  for_keys: 'wallet.balance',
  agent: 'required',
  even_deactivated: true,
  rest: [{ method: 'GET', path: '/api/wallet/' }],
  run: (read, _input, ctx, ports) => walletView(read, actor(ctx), ports, ctx.now_ms),
});
