// Whose a credential is, and whether it still works, by what is stored.
import type { TestRequest } from '../support/testbed.ts';
import type { Sim } from './sim.ts';

interface Standing {
  readonly account_id: string;
  readonly email: string | null;
  readonly alive: boolean;
}

interface Row {
  readonly account_id: string;
  readonly email: string | null;
  readonly ended_at: number | null;
  readonly expires_at: number;
}

const KEY = `SELECT k.account_id, a.email, k.revoked_at AS ended_at, k.expires_at
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`;
const SESSION = `SELECT s.account_id, a.email, s.ended_at, s.expires_at
  FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = ?`;

function claimsOf(token: string): { sid: string; exp: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

/** How the credentials of a request stand, the session's first. */
export function standings(sim: Sim, { key, token }: TestRequest): Standing[] {
  const now_ms = sim.clock.now();
  const found: Standing[] = [];
  const add = (row: Row | undefined, ends_ms: number): void => {
    const alive = row !== undefined && row.ended_at === null && Math.min(row.expires_at, ends_ms) > now_ms;
    found.push({ account_id: row?.account_id ?? '', email: row?.email ?? null, alive });
  };
  if (token !== undefined) {
    const { sid, exp } = claimsOf(token);
    add(sim.db.rows<Row>(SESSION, sid)[0], exp * 1000);
  }
  if (key !== undefined) {
    const hash = new Bun.CryptoHasher('sha256').update(key).digest('hex');
    add(sim.db.rows<Row>(KEY, hash)[0], Number.POSITIVE_INFINITY);
  }
  return found;
}
