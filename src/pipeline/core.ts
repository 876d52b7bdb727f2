// The pipeline's part of the service: the store and its clock, presence, and authentication. Outgoing calls, delivery and matching are
// only passed on as ports, which the composition root makes.
import type { Clock } from '../../actors/clock.ts';
import type { ClockWatch } from '../../actors/clock-watch.ts';
import type { Directory } from '../../actors/directory.ts';
import type { KeyUses } from '../../actors/key-uses.ts';
import type { LoopWatch } from '../../actors/loop-watch.ts';
import type { MovedTime } from '../../actors/moved-time.ts';
import type { RequestLog } from '../../actors/request-log.ts';
import type { Supervisor } from '../../actors/supervisor.ts';
import type { Store } from '../../db/store.ts';
import type { ServiceSecrets, Settings } from '../contract/context.ts';
import type { Addresses } from '../domain/next-step.ts';
import type { Retention } from '../domain/retention.ts';
import type { OidcClient } from '../outbound/account-host/oidc-client.ts';
import type { SessionIssuer } from '../outbound/session/issuer.ts';

/** The settings of authentication, besides those of operations. */
export interface EntrySettings extends Settings {
  /** The retention times. */
  readonly retention: Retention;
  readonly admin_emails: readonly string[];
  readonly internal_token: string;
}

export interface Core {
  readonly settings: EntrySettings;
  readonly secrets: ServiceSecrets;
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** How far TEST_CLOCK has moved the clock, for all nodes. */
  readonly time: Pick<MovedTime, 'takeOver'>;
  /** By which time a kept answer is over. */
  readonly clock_watch: Pick<ClockWatch, 'expiryTime'>;
  readonly store: Store;
  /** The mailboxes in which turns are taken. */
  readonly directory: Pick<Directory, 'actor' | 'markSeen'>;
  /** Runs before the reply what a turn asks for. */
  readonly supervisor: Pick<Supervisor, 'runNow'>;
  /** Gets a signal when an operation begins a synchronous part. */
  readonly loop: Pick<LoopWatch, 'noteBegin'>;
  readonly sessions: Pick<SessionIssuer, 'verify'>;
  /** The outside identity provider, whose access tokens are accepted too, or null. */
  readonly identity: Pick<OidcClient, 'issuer' | 'readAccess'> | null;
  readonly key_uses: Pick<KeyUses, 'note'>;
  readonly requests: Pick<RequestLog, 'note'>;
  /** A new UUID version 7 on the service's clock. */
  id(): string;
  random(bytes: number): Uint8Array;
  /** Resolves when these letters and messages have had their first attempt. */
  waitForAttempts(ids: readonly string[]): Promise<void>;
}
