// Faults in the store: versions, seqs, keys, counters, what a turn that stops leaves behind, and what nodes share.
import type { Fault } from './fault.ts';

const RUN = 'db/run-effects.ts';
const OUTCOME = 'db/outcome.ts';
const LOCKED = 'db/postgres/locked-rows.ts';
const CLAIMS = 'db/postgres/claims.ts';
const EMBEDDED = ['test/db/effects.test.ts'];
const CLUSTERED = ['test/db/postgres.test.ts'];

const BOTH: readonly Fault[] = [
  {
    name: 'a turn stands on rows that were changed since',
    file: OUTCOME,
    find: 'if (rows.version(table, id) !== version) return true;',
    replace: 'if (rows.version(table, id) === null) return true;',
    tests: EMBEDDED,
  },
  {
    name: 'a row that was removed since was only changed',
    file: OUTCOME,
    find: 'if (rows.version(table, id) !== version) return true;',
    replace: 'if ((rows.version(table, id) ?? version) !== version) return true;',
    tests: EMBEDDED,
  },
  {
    name: 'a turn stands although its credential was changed',
    file: OUTCOME,
    find: 'if (rows.version(table, id) !== version) throw new StalePrincipal();',
    replace: 'if (rows.version(table, id) === null) throw new StalePrincipal();',
    tests: EMBEDDED,
  },
  {
    name: 'a patch that lost its race counts as done',
    file: RUN,
    find: 'return done ? null : CONFLICT;',
    replace: "return done || effect.do === 'patch' ? null : CONFLICT;",
    tests: EMBEDDED,
  },
  {
    name: 'a removal that lost its race counts as done',
    file: RUN,
    find: 'return done ? null : CONFLICT;',
    replace: "return done || effect.do === 'remove' ? null : CONFLICT;",
    tests: EMBEDDED,
  },
  {
    name: 'an apply that does not look whether it is refused',
    file: RUN,
    find: "if (refused !== null) return refused === 'again' ? CONFLICT : refused;",
    replace: '',
    tests: EMBEDDED,
  },
  {
    name: 'a taken key passes for a row that was there',
    file: RUN,
    find: "if (this.#rows.insert(table, row, effect) || onConflict === 'ignore') return null;",
    replace: 'if (this.#rows.insert(table, row, effect) || onConflict !== null) return null;',
    tests: EMBEDDED,
  },
  {
    name: 'a reminder that was asked for anew goes with the old one',
    file: RUN,
    find: "this.#rows.remove('reminders', id, version ?? null);",
    replace: "this.#rows.remove('reminders', id, null);",
    tests: EMBEDDED,
  },
  {
    name: 'a letter that lies open in the database',
    file: RUN,
    find: 'payload: sealed,',
    replace: 'payload: JSON.stringify(payload),',
    tests: EMBEDDED,
  },
  {
    name: 'a key that was answered elsewhere is answered twice',
    file: OUTCOME,
    find: 'if (!old || Number(old.expires_at) > claim.now_ms) return false;',
    replace: 'if (!old || Number(old.expires_at) > claim.now_ms) return true;',
    tests: EMBEDDED,
  },
];

const ON_SQLITE: readonly Fault[] = [
  {
    name: 'seqs of a turn that was rolled back stay given',
    file: 'db/sqlite/heads.ts',
    find: 'for (const { last, id, n } of this.#undo.reverse()) last.set(id, n);',
    replace: '',
    tests: EMBEDDED,
  },
  {
    name: 'a turn that stops midway leaves its first effects',
    file: RUN,
    find: 'at > first && mayStop(effect)',
    replace: 'at > first + 1 && mayStop(effect)',
    tests: EMBEDDED,
  },
  {
    name: 'a counter that lets one more pass',
    file: 'db/sqlite/rows.ts',
    find: 'if (n > limit) return null;',
    replace: 'if (n > limit + 1) return null;',
    tests: EMBEDDED,
  },
  {
    name: 'what a failed commit had cached is believed',
    file: 'db/sqlite/sqlite-store.ts',
    find: 'failed: () => {\n          this.#heads.drop();',
    replace: 'failed: () => {',
    tests: EMBEDDED,
  },
];

const ON_POSTGRES: readonly Fault[] = [
  {
    name: 'a node that writes over the version of another',
    file: LOCKED,
    find: 'this.#rows.version(table, id) === version;',
    replace: 'this.#rows.version(table, id) !== null;',
    tests: CLUSTERED,
  },
  {
    name: 'a counter that lets one more pass, on PostgreSQL',
    file: LOCKED,
    find: 'if (n > limit) return null;',
    replace: 'if (n > limit + 1) return null;',
    tests: CLUSTERED,
  },
  {
    name: 'a refused turn leaves its rows in the batch',
    file: 'db/postgres/decide-batch.ts',
    find: 'if (stopped) workspace.rollback();',
    replace: '',
    tests: CLUSTERED,
  },
  {
    name: 'a turn that threw leaves its rows in the batch',
    file: 'db/postgres/decide-batch.ts',
    find: 'workspace.rollback();\n      return { error };',
    replace: 'return { error };',
    tests: CLUSTERED,
  },
  {
    name: 'a first refusal that is not looked at once more',
    file: 'db/postgres/decide-batch.ts',
    find: '(stopped !== null && pending.first)',
    replace: '(stopped !== null && !pending)',
    tests: [...CLUSTERED, 'test/db/nodes.test.ts'],
  },
  {
    name: 'an inbox that is written down as delivered although more came',
    file: 'actors/delivery-cursor.ts',
    find: 'behind: delivered_seq < inbox.last_seq ? 1 : 0',
    replace: 'behind: 0',
    tests: ['test/actors/event-delivery.test.ts'],
  },
  {
    name: 'a half-built index that passes for a whole one',
    file: 'db/migrations/migrate-postgres.ts',
    find: 'if (found?.valid === true) return;',
    replace: 'if (found) return;',
    tests: ['test/db/migrations.test.ts'],
  },
  {
    name: 'a step of a migration that is done again although it is done',
    file: 'db/migrations/migrate-postgres.ts',
    find: 'if (done.has(name)) continue;',
    replace: '',
    tests: ['test/db/migrations.test.ts'],
  },
  {
    name: 'a pooler that is taken for a server',
    file: 'db/postgres/find-server.ts',
    find: 'pooled: row?.kept !== IDLE_IN_TRANSACTION',
    replace: 'pooled: false',
    tests: ['test/db/pgbouncer.test.ts'],
  },
  {
    name: 'two nodes that carry for one agent',
    file: CLAIMS,
    find: 'AND (lease_until <= $3::bigint OR lease_until = $4::bigint)',
    replace: 'AND (lease_until <> $3::bigint OR lease_until = $4::bigint)',
    tests: ['test/db/event-delivery-nodes.test.ts'],
  },
  {
    name: 'a claimed reminder that is due again at once',
    file: CLAIMS,
    find: 'UPDATE reminders AS r SET at = $1::bigint + ',
    replace: 'UPDATE reminders AS r SET at = $1::bigint + 0 * ',
    tests: ['test/db/nodes.test.ts'],
  },
  {
    name: 'a batch that may stand is forgotten when nobody can ask after it',
    file: 'db/postgres/committer.ts',
    find: 'this.#options.doubtful(commit_id);',
    replace: '',
    tests: ['test/db/lost-commit.test.ts'],
  },
];

/** Faults in the store. */
export const STORE: readonly Fault[] = [...BOTH, ...ON_SQLITE, ...ON_POSTGRES];
