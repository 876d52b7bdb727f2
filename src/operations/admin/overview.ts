// The state of the service on one page for administrators: people, overdue work, the machine, the last backup, the ledger, pending
// decisions, and recent errors.
import { Type } from 'typebox';
import { agentsFrom, COUNTED_MAX, openReviews, peopleFrom, suspendedPeople } from '../../../db/queries/admin.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import type { HostLook } from '../../contract/ports.ts';
import { idAt } from '../../domain/id-time.ts';
import { thousands } from '../../domain/text/thousands.ts';
import { WEEK_MS } from '../../domain/time.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { iso, isoOrNull, NullableText, NullableTime, nullable, Time } from '../../schemas/wire.ts';
import { type BackupStanding, readBackup } from '../../steps/backup/standing.ts';
import { type LedgerStanding, readStanding } from '../../steps/money/ledger-standing.ts';
import { type Overdue, readOverdue } from '../../steps/overdue.ts';

const Count = Type.Integer({ minimum: 0 });
const Bytes = nullable(Count);

/** The ids of the service's own account and agent sort before this, all others after it. */
const EVERYBODY = '00000000-0000-7000-8000-00000000000g';

const Backup = Type.Object({
  last: nullable(
    Type.Object({
      name: Type.String(),
      address: Type.String(),
      made_at: Time,
      bytes: Count,
      encrypted: Type.Boolean(),
    }),
  ),
  proof: nullable(
    Type.Object({
      name: Type.String(),
      at: Time,
      result: Type.Enum(['ok', 'wrong', 'inconclusive']),
      problems: Type.Array(Type.String()),
    }),
  ),
  failure: nullable(Type.Object({ at: Time, reason: Type.String() })),
});

const Overview = namedObject('ServiceOverview', 'the state of the service', {
  at: Time,
  version: Type.String(),
  started_at: described('of the node that answers', Time),
  ready: Type.Boolean({ description: 'whether the database takes writes' }),
  not_ready: NullableText,
  people: Type.Object({ count: Count, new_this_week: Count, suspended: Count }),
  agents: Type.Object({ count: Count, new_this_week: Count }),
  overdue: Type.Array(Type.Object({ kind: Type.String(), count: Count, oldest_at: NullableTime })),
  disk: Type.Object({ free_bytes: Bytes, database_bytes: Bytes, log_bytes: Bytes }),
  backup: described('null if none was tried', nullable(Backup)),
  reviews_open: Count,
  disputes_open: Count,
  ledger: Type.Object({
    checked_at: NullableTime,
    problems: nullable(Count),
    sealed_until: NullableTime,
  }),
  errors: Type.Array(
    Type.Object({ at: Time, message: Type.String(), error: NullableText, operation: NullableText, count: Count }),
    { description: 'logged by the answering node, newest first' },
  ),
});

async function readCounts(read: Read, now_ms: number) {
  const week = { from: idAt(now_ms - WEEK_MS) };
  const all = { from: EVERYBODY };
  const found = await Promise.all([
    read(peopleFrom, all),
    read(peopleFrom, week),
    read(suspendedPeople, {}),
    read(agentsFrom, all),
    read(agentsFrom, week),
    read(openReviews, {}),
  ]);
  const [people, new_people, suspended, agents, new_agents, reviews_open] = found.map((row) => row?.n ?? 0);
  return {
    people: { count: people ?? 0, new_this_week: new_people ?? 0, suspended: suspended ?? 0 },
    agents: { count: agents ?? 0, new_this_week: new_agents ?? 0 },
    reviews_open: reviews_open ?? 0,
  };
}

function backupView(standing: BackupStanding | null) {
  if (standing === null) return null;
  const { last, proof, failure } = standing;
  return {
    last: last && {
      ...{ name: last.name, address: last.address, made_at: iso(last.made_at) },
      ...{ bytes: last.bytes, encrypted: last.encrypted },
    },
    proof: proof && { name: proof.name, at: iso(proof.at_ms), result: proof.result, problems: [...proof.problems] },
    failure: failure && { at: iso(failure.at_ms), reason: failure.reason },
  };
}

function ledgerView({ check, sealed_until_ms }: LedgerStanding) {
  return {
    checked_at: isoOrNull(check?.at_ms ?? null),
    problems: check?.problems ?? null,
    sealed_until: isoOrNull(sealed_until_ms),
  };
}

function overdueView(overdue: Readonly<Record<string, Overdue>>) {
  return Object.entries(overdue).map(([kind, { n, oldest }]) => ({ kind, count: n, oldest_at: isoOrNull(oldest) }));
}

function hostView({ version, started_at_ms, free, database, log, ready, errors }: HostLook) {
  return {
    version,
    started_at: iso(started_at_ms),
    ready: ready.ready,
    not_ready: ready.ready ? null : ready.reason,
    disk: { free_bytes: free, database_bytes: database, log_bytes: log },
    errors: errors.map(({ at_ms, ...error }) => ({ at: iso(at_ms), ...error })),
  };
}

export const adminOverview = query({
  name: 'admin.overview',
  needed_by: 'an administrator who checks the service',
  summary: 'Read the state of the service',
  description: `People, agents, reviews and disputes are counted up to ${thousands(COUNTED_MAX)}, overdue work up to 10,000.`,
  input: Type.Object({}),
  output: Overview,
  access: 'admin',
  rest: [{ method: 'GET', path: '/api/admin/overview' }],
  run: async (read, _input, { now_ms }, { host }) => {
    const [counts, overdue, ledger, backup, look] = await Promise.all([
      readCounts(read, now_ms),
      readOverdue(read, now_ms),
      readStanding(read),
      readBackup(read),
      host.look(),
    ]);
    return {
      at: iso(now_ms),
      ...counts,
      ...hostView(look),
      disputes_open: overdue['disputes']?.n ?? 0,
      overdue: overdueView(overdue),
      ledger: ledgerView(ledger),
      backup: backupView(backup),
    };
  },
});
