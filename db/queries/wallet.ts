// Reads of wallets: their limits, held money, fundings and what is owed. Balances stand in ledger.ts.
import { byId } from '../query.ts';

export const walletById = byId('wallets');
export const holdById = byId('holds');
