// What of the service its doors reach: the operations and the one way in to them, and what health, figures and the door for mail
// ask for. The composition root hands it over; no door knows the rest.
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
  /** The identity provider elsewhere through which people sign in; null where the service does that. */
  readonly outside_issuer: string | null;
  readonly instance: Instance;
  /** Who may make an account. */
  readonly joining: JoinRules;
  /** Whether letters rest in DATA_DIR/outbox, and whether text messages do. */
  readonly outbox: boolean;
  readonly text_outbox: boolean;
  /** Where flaws are reported: a URI. */
  readonly security_contact: string;
}

export interface DoorPorts {
  readonly operations: readonly AnyOperation[];
  readonly pipeline: Pick<Pipeline, 'run' | 'enter' | 'refusals'>;
  readonly settings: DoorSettings;
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly clock_watch: Pick<ClockWatch, 'look' | 'doubt'>;
  readonly restored: Pick<RestoreWatch, 'state'>;
  /** What seals what a client is given to bring back. */
  readonly secrets: Pick<ServiceSecrets, 'seal_key'>;
  readonly documents: Pick<DocumentSigner, 'jwks'>;
  readonly store: Pick<
    Store,
    'read' | 'ready' | 'onCommit' | 'onWork' | 'troubles' | 'tally' | 'following' | 'sizes' | 'pools' | 'vectors'
  >;
  readonly directory: Pick<Directory, 'counts'>;
  readonly delivery: Pick<EventDelivery<never>, 'counts'>;
  readonly loop: Pick<LoopWatch, 'onHeld' | 'takeLag'>;
  readonly mails: Pick<MailReader, 'keep' | 'readings'>;
  /** The documentation, which is searched, and by whose words tools are found. */
  readonly manual: Pick<PreparedManual, 'prepare' | 'wordsOf' | 'find'>;
  /** A new UUID version 7 on the service's clock. */
  id(): string;
  random(bytes: number): Uint8Array;
  /** How many errors of the store the log has met, by their codes. */
  readonly store_errors: ReadonlyMap<string, number>;
  /** Null where nobody collects traces. */
  readonly tracer: Tracer | null;
  /** Tells the log of what broke behind an answer that had begun. */
  report(error: unknown): void;
}
