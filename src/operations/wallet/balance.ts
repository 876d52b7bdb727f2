// The wallet as a program reads it. Provisional agents may read it too, though they cannot spend.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { Wallet } from '../../schemas/wallet.ts';
import { walletView } from '../../steps/money/wallet-view.ts';

export const walletBalance = query({
  name: 'wallet.balance',
  summary: 'Read the wallet with a key',
  description: 'The acting agent’s balance, held, withdrawable and spendable amounts.',
  input: Type.Object({}),
  output: Wallet,
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/v1/wallet' }],
  tools: [{ name: 'mesh_wallet_balance', title: 'Read your wallet', set: 'wallet' }],
  run: (read, _input, ctx, ports) => walletView(read, actor(ctx), ports, ctx.now_ms),
});
