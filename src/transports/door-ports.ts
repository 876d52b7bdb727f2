// The ports of the transports: the operations and the pipeline, and what health, metrics and the mail transport need. The
// composition root passes them in; no transport knows the rest of the service.
import type { Clock } from '../../actors/clock.ts';
import type { ClockWatch } from '../../actors/clock-watch.ts';
import type { Directory } from '../../actors/directory.ts';
import type { EventDelivery } from '../../actors/event-delivery.ts';
import type { LoopWatch } from '../../actors/loop-watch.ts';
import type { RestoreWatch } from '../../actors/restore-watch.ts';
import type { Store } from '../../db/store.ts';
import type { ServiceSecrets } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { PreparedManual } from '../domain/concierge/search.ts';
import type { JoinRules } from '../domain/identity/join.ts';
import type { Instance } from '../domain/instance.ts';
import type { Addresses } from '../domain/next-step.ts';
import type { MailReader } from '../outbound/reading/mail-reader.ts';
import type { DocumentSigner } from '../outbound/signature.ts';
import type { Tracer } from '../outbound/traces.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

interface DoorSettings {
  readonly base_url: string;
  readonly app_url: string;
  readonly profile_url: string;
  readonly mail_domain: string;
  readonly platform_handle: string;
  readonly internal_token: string;
  /** The outside identity provider for sign-in; null when the service does that itself. */
  readonly outside_issuer: string | null;
  readonly instance: Instance;
  /** Who may create an account. */
  readonly joining: JoinRules;
  /** Whether mail is written to DATA_DIR/outbox, and whether text messages are. */
  readonly outbox: boolean;
  readonly text_outbox: boolean;
  /** The URI for security reports. */
  readonly security_contact: string;
}

export interface DoorPorts {
  readonly operations: readonly AnyOperation[];
  readonly pipeline: Pick<Pipeline, 'run' | 'enter' | 'refusals'>;
  readonly settings: DoorSettings;
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly clock_watch: Pick<ClockWatch, 'look' | 'doubt' | 'apart_ms'>;
  readonly restored: Pick<RestoreWatch, 'state'>;
  /** The key that seals state given to clients. */
  readonly secrets: Pick<ServiceSecrets, 'seal_key'>;
  readonly documents: Pick<DocumentSigner, 'jwks'>;
  readonly store: Pick<
    Store,
    | 'read'
    | 'ready'
    | 'onCommit'
    | 'onWork'
    | 'troubles'
    | 'tally'
    | 'following'
    | 'sizes'
    | 'pools'
    | 'vectors'
    | 'matching'
    | 'role'
  >;
  readonly directory: Pick<Directory, 'counts'>;
  readonly delivery: Pick<EventDelivery<never>, 'counts'>;
  readonly loop: Pick<LoopWatch, 'onHeld' | 'takeLag'>;
  readonly mails: Pick<MailReader, 'keep' | 'readings'>;
  /** The documentation, whose words also find tools. */
  readonly manual: Pick<PreparedManual, 'prepare' | 'wordsOf' | 'find'>;
  /** A new UUID version 7 on the service's clock. */
  id(): string;
  random(bytes: number): Uint8Array;
  /** The number of logged store errors by code. */
  readonly store_errors: ReadonlyMap<string, number>;
  /** Null when traces are not collected. */
  readonly tracer: Tracer | null;
  /** Logs an error after the answer had begun. */
  report(error: unknown): void;
}
