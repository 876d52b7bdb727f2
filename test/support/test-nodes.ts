// Several nodes of one service in the test's own process: each has its own folder, actors and caches; they share a
// database, its secrets, the clock (or one that is behind it) and nothing else.

import type { ServiceSettings } from '../../src/compose/parts.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import type { PostgresServer } from './postgres.ts';
import { createSenderDouble } from './sender-double.ts';
import { openTestService, START_MS, type TestParts, type TestService } from './testbed.ts';
import { clockBehind, virtualClock } from './virtual-clock.ts';

/** Opens two nodes on an empty database. Mail of both is found in the `mails` of either. The clock of the second is behind that of the first
 * by so much. */
export async function openTestNodes(
  server: PostgresServer,
  settings: Partial<ServiceSettings> = {},
  more: TestParts = {},
  behind_ms = 0,
): Promise<[TestService, TestService]> {
  const clock = virtualClock(START_MS);
  const parts = { ...more, database_url: await server.migrated(), mailer: createSenderDouble<Mail>() };
  return [
    await openTestService(settings, 'memory', { ...parts, clock }),
    await openTestService(settings, 'memory', { ...parts, clock: clockBehind(clock, behind_ms) }),
  ];
}
