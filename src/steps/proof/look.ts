// The looks at accounts elsewhere that prove somebody. A site that tells anybody whether an account is there is asked every day. Of one
// that tells its person alone, the proof holds for half a year, and then fails until the person proves it again.

import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { AccountHost } from '../../outbound/account-host/account-host.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** A proof that nobody can look at has to be made again after so long. */
const RENEWAL_MS = 180 * DAY_MS;

export const LOOK_AT_PROOF = { name: 'trust.recheck', input: Type.Object({ claim_id: Id }) } as const;

export function lookLater(claim_id: string, now_ms: number): RemindEffect {
  return remind(LOOK_AT_PROOF, { claim_id }, { at: now_ms + DAY_MS, key: claim_id, now_ms });
}

type Claim = Pick<Row<'claims'>, 'provider' | 'external_id' | 'checked_at' | 'failing_since'>;

/** A site that can be asked about a claim. */
interface LookingSite {
  readonly hosts: readonly string[];
  readonly look: NonNullable<AccountHost['look']>;
}

/** The site that can be asked about a claim; null where there is none. */
export function siteOf({ provider, external_id }: Claim, { hosts }: Pick<FlowPorts, 'hosts'>): LookingSite | null {
  // An account at the further provider is named together with it, and no other site knows it.
  if (external_id.includes('|')) return null;
  const found = Object.values(hosts).find(({ kind, look }) => kind === provider && look !== null);
  return found?.look ? { hosts: found.hosts, look: found.look } : null;
}

/** Whether a claim that no site can be asked about has to be proven again. */
export function isOutdated({ checked_at, failing_since }: Claim, now_ms: number): boolean {
  return failing_since !== null || now_ms - checked_at >= RENEWAL_MS;
}
