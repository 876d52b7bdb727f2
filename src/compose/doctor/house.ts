// Checks of this machine and its settings: disk, log, descriptors, risky settings.
import { accessSync, constants, readdirSync, readFileSync, statfsSync } from 'node:fs';
import type { RowsChecked } from '../../../db/row-check/check.ts';
import { sizesOf } from '../../../db/sqlite/connection.ts';
import { markIn } from '../../../db/sqlite/copy.ts';
import { LostWrites } from '../../../db/sqlite/lost-writes.ts';
import { endsBefore } from '../../../db/sqlite/mark.ts';
import type { Config } from '../../config.ts';
import { type Finding, inconclusive, warning, well, wrong } from '../../domain/finding.ts';

/** The checks of a running service besides its store; `notes` are null when they could not be read. */
export type HouseChecks = (notes: RowsChecked['notes'] | null) => Promise<readonly Finding[]>;

const MIB = 1_048_576;
const ROOM_LEAST = 256 * MIB;
const LOG_MOST = 512 * MIB;
const DESCRIPTORS_LEAST = 4_096;

const mib = (bytes: number): string => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`;

function judgeDisk({ dataDir, databaseUrl }: Config): Finding {
  const check = 'disk';
  try {
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : dataDir;
    return wrong(
      check,
      `DATA_DIR cannot be written: ${why}`,
      'mount it writable, and give it to the user of the service',
    );
  }
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const free = bavail * bsize;
  const found = `${mib(free)} are free of ${mib(blocks * bsize)}`;
  const mend = 'make room: a full disk refuses every write';
  if (free < ROOM_LEAST) return wrong(check, found, mend);
  const { database } = databaseUrl === undefined ? sizesOf(dataDir) : { database: 0 };
  if (free < 2 * database)
    return warning(
      check,
      `${found}, and the database takes ${mib(database)}`,
      `${mend}; a backup and a restore need as much as the database`,
    );
  return well(check, found);
}

function judgeLog({ dataDir, databaseUrl }: Config): Finding[] {
  if (databaseUrl !== undefined) return [];
  const { log } = sizesOf(dataDir);
  const found = `the log takes ${mib(log)}`;
  if (log <= LOG_MOST) return [well('log', found)];
  const mend =
    'end the process that has meshwork.db open for reading (lsof names it): the log is copied when it is gone';
  return [warning('log', found, mend)];
}

/** The high-water mark beside the database. */
function judgeMark(data_dir: string, is_served: boolean): Finding {
  const check = 'high-water mark';
  try {
    const { mark, there } = markIn(data_dir, is_served);
    if (mark === null) return well(check, 'there is none yet: the service writes it a second after its first write');
    const again = 'the service writes it anew, and a start does not look at it; check that the newest data is there';
    if (mark === 'torn') return warning(check, 'it cannot be read', again);
    if (there !== null && !endsBefore(there, mark)) return well(check, 'the database holds all that it names');
    const lost = new LostWrites(data_dir, there, mark);
    return wrong(check, lost.message, lost.next);
  } catch (error) {
    const why = error instanceof Error ? error.message : data_dir;
    return inconclusive(check, why, 'mend the database file first');
  }
}

/** The limit and use of this process's descriptors. */
function judgeDescriptors(): Finding {
  const check = 'descriptors';
  try {
    const soft = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN);
    if (Number.isNaN(soft)) return well(check, 'they are not limited');
    const found = `${readdirSync('/proc/self/fd').length} of ${soft} are taken`;
    if (soft >= DESCRIPTORS_LEAST) return well(check, found);
    return warning(check, found, 'each connection takes one: set LimitNOFILE=65536 in the unit, or ulimit -n 65536');
  } catch {
    return inconclusive(check, 'this system does not tell them', 'ulimit -n tells the limit');
  }
}

/** Settings that weaken protection, or are meant for tests. */
function judgeSettings({ testClock, rateLimits, egressAllow, trustProxy }: Config, forwarded: boolean): Finding[] {
  const check = 'settings';
  const findings = [
    ...(testClock ? [warning(check, 'TEST_CLOCK is 1: the internal token can move the time', 'unset TEST_CLOCK')] : []),
    ...(rateLimits ? [] : [warning(check, 'RATE_LIMITS is off: requests are not limited', 'unset RATE_LIMITS')]),
    ...(forwarded && !trustProxy
      ? [
          warning(
            check,
            'requests come with X-Forwarded-For, and TRUST_PROXY is off: all callers share the limits of the proxy',
            'set TRUST_PROXY=on where a proxy of yours stands before the service',
          ),
        ]
      : []),
    ...egressAllow.map(({ host, port }) =>
      warning(
        'egress',
        `EGRESS_ALLOW lets strangers' addresses lead to ${host}:${port}`,
        'take it out of EGRESS_ALLOW unless it is meant',
      ),
    ),
  ];
  return findings.length > 0 ? findings : [well(check, 'none is risky')];
}

/** `forwarded` tells whether requests came through a proxy. */
export function examineHouse(config: Config, forwarded: boolean, is_served: boolean): Finding[] {
  const { dataDir, databaseUrl } = config;
  const marks = databaseUrl === undefined ? [judgeMark(dataDir, is_served)] : [];
  return [...marks, judgeDisk(config), ...judgeLog(config), judgeDescriptors(), ...judgeSettings(config, forwarded)];
}
