// The doctor: checks all that a service depends on, and says what to do about each. It uses the running service's store, or a folder
// without a running service.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockWatch } from '../../../actors/clock-watch.ts';
import { pendingOnPostgres } from '../../../db/migrations/pending.ts';
import { UnknownMigrations } from '../../../db/migrations/unknown.ts';
import type { RowsChecked } from '../../../db/row-check/check.ts';
import { checkThreadsOf } from '../../../db/sqlite/check-threads.ts';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { refuseUnknownIn } from '../../../db/sqlite/copy.ts';
import type { Store } from '../../../db/store.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config.ts';
import { type Finding, warning, well, wrong } from '../../domain/finding.ts';
import { type DatabaseChecks, examineDatabase } from './database.ts';
import { examineHouse, type HouseChecks } from './house.ts';
import { judgeBackup, judgeClock, judgePrograms, judgeSecrets } from './notes.ts';
import { examineReach } from './reach.ts';

/** The checks of this machine and its settings. Nodes on PostgreSQL share their secrets there. */
export function houseChecks(config: Config, forwarded: () => boolean, is_served = true): HouseChecks {
  return async (notes) => [
    ...(notes && config.databaseUrl === undefined ? [await judgeSecrets(config.dataDir, notes)] : []),
    ...examineHouse(config, forwarded(), is_served),
    ...(await examineReach(config)),
  ];
}

interface Examined {
  readonly store: Pick<Store, 'checkFile' | 'checkLedger' | 'checkRows' | 'mend' | 'vectors' | 'role' | 'matching'>;
  readonly clock_watch: Pick<ClockWatch, 'look'>;
  readonly house: HouseChecks;
}

async function clockOf(clock_watch: Pick<ClockWatch, 'look'>): Promise<Finding> {
  const { doubt, until_ms, apart_ms } = await clock_watch.look();
  if (apart_ms !== null) {
    const by = `${Math.abs(apart_ms / 1_000).toFixed(1)} s ${apart_ms > 0 ? 'ahead of' : 'behind'}`;
    return warning(
      'clock',
      `this machine's is ${by} the database's: its timers stand still`,
      'set the clock of this machine',
    );
  }
  if (doubt === null) return well('clock', 'it is believed');
  const until = until_ms === null ? '' : ` until ${new Date(until_ms).toISOString()}`;
  return warning(
    'clock',
    `it is in doubt (${doubt}): nothing is sealed or pruned${until}`,
    'set the clock; where it is right: meshwork clock accept',
  );
}

/** Compares the index in memory with the rows, which may differ by commits between the two reads. Skipped while a start fills it. */
function memoryOf(vectors: Store['vectors'], { listings }: RowsChecked): Finding[] {
  if (vectors.filling) return [];
  const { size } = vectors;
  const apart = Math.abs(size - listings.vectors);
  if (apart <= 1 + listings.vectors / 100) return [];
  return [
    warning(
      'index in memory',
      `it holds ${size} listings, and ${listings.vectors} have vectors`,
      'restart the service: it is made from the rows at each start',
    ),
  ];
}

/** Whether another node matches for one without the index. */
async function matchingOf({ matching }: Pick<Store, 'matching'>): Promise<Finding[]> {
  if (!matching) return [];
  if (await matching.isAnswered()) return [well('matching', 'another node answers')];
  const means = 'no node answers: listings are stored and not matched, and what needs matches is refused';
  return [
    warning('matching', means, 'start a node with ROLE=matching; one that runs says in its log why it does not answer'),
  ];
}

/** Examines a running service; `fix` first repairs what can be derived from the rows, and reports the repairs. */
export async function examineService(
  { store, clock_watch, house }: Examined,
  now_ms: number,
  fix: boolean,
): Promise<Finding[]> {
  const { checkFile: file } = store;
  const checks: DatabaseChecks = {
    ledger: () => store.checkLedger(now_ms),
    rows: () => store.checkRows(now_ms),
    file: file && (() => file(now_ms)),
  };
  const before = fix ? await store.checkRows(now_ms).catch(() => null) : null;
  const mended = before && before.problems.length > 0 ? await store.mend(before.problems) : [];
  const { findings, rows } = await examineDatabase(checks);
  return [
    ...mended.map((text) => well('mended', text)),
    ...findings,
    ...(store.role === 'web' ? await matchingOf(store) : rows ? memoryOf(store.vectors, rows) : []),
    await clockOf(clock_watch),
    ...(rows ? notedOf(rows, now_ms) : []),
    ...(await house(rows?.notes ?? null)),
  ];
}

function notedOf({ notes, programs }: RowsChecked, now_ms: number): Finding[] {
  return [judgeBackup(notes, now_ms), ...judgePrograms(programs, now_ms)];
}

async function threadsOf({ dataDir, databaseUrl }: Config, now_ms: number): Promise<DatabaseChecks> {
  if (databaseUrl === undefined) {
    const { ledger, rows, file } = checkThreadsOf(dataDir);
    return { ledger: () => ledger.check(now_ms), rows: () => rows.check(now_ms), file: () => file.check(now_ms) };
  }
  const { postgresThreadsOf } = await import('../../../db/postgres/check-threads.ts');
  const { ledger, rows } = postgresThreadsOf(databaseUrl);
  return { ledger: () => ledger.check(now_ms), rows: () => rows.check(now_ms), file: null };
}

/** The finding where another version has changed the database: this one cannot read it. */
async function versionOf({ dataDir, databaseUrl }: Config): Promise<Finding | null> {
  try {
    if (databaseUrl === undefined) refuseUnknownIn(dataDir);
    else await pendingOnPostgres(databaseUrl);
  } catch (error) {
    if (error instanceof UnknownMigrations)
      return wrong('version', error.message, `this is version ${manifest.version}`);
  }
  return null;
}

/** Examines a folder or database without a running service. It only reads. */
export async function examineFolder(config: Config, now_ms: number): Promise<Finding[]> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir))
    return [wrong('folder', `${dataDir} is not there`, 'set DATA_DIR, or begin with meshwork serve')];
  const house = houseChecks(config, () => false, false);
  if (databaseUrl === undefined && !existsSync(join(dataDir, DATABASE_FILE))) {
    return [well('database file', `${dataDir} holds none yet: meshwork serve makes it`), ...(await house(null))];
  }
  const strange = await versionOf(config);
  if (strange) return [strange, ...(await house(null))];
  const { findings, rows } = await examineDatabase(await threadsOf(config, now_ms));
  const noted = rows ? [judgeClock(rows.notes, now_ms), ...notedOf(rows, now_ms)] : [];
  return [...findings, ...noted, ...(await house(rows?.notes ?? null))];
}
