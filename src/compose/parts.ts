// The parts of the service: main passes real ones, tests and the simulation a virtual clock, seeded randomness and doubles.
import type { MovableClock } from '../../actors/clock.ts';
import type { Store } from '../../db/store.ts';
import type { Log } from '../log.ts';
import type { AccountHosts } from '../outbound/account-host/account-host.ts';
import type { OidcClient } from '../outbound/account-host/oidc-client.ts';
import type { ChainRail } from '../outbound/chain/chain.ts';
import type { Dns } from '../outbound/dns.ts';
import type { Embedder } from '../outbound/embedder/embedder.ts';
import type { Mailer } from '../outbound/mailer/mail.ts';
import type { Negotiator } from '../outbound/negotiator/negotiator.ts';
import type { Processor } from '../outbound/processor/processor.ts';
import type { SafeHttp } from '../outbound/safe-http/safe-http.ts';
import type { SessionIssuer } from '../outbound/session/issuer.ts';
import type { CardSigner, DocumentSigner } from '../outbound/signature.ts';
import type { SmsSender } from '../outbound/sms/sms.ts';
import type { Tracer } from '../outbound/traces.ts';
import type { WebPush } from '../outbound/web-push.ts';
import type { EntrySettings } from '../pipeline/core.ts';
import type { HouseChecks } from './doctor/house.ts';

/** The service's settings, besides those of its operations. */
export interface ServiceSettings extends EntrySettings {
  readonly data_dir: string;
  /** The URI for security reports. */
  readonly security_contact: string;
}

export interface Parts {
  readonly settings: ServiceSettings;
  readonly clock: MovableClock;
  readonly store: Store;
  readonly seal_key: Uint8Array;
  readonly sessions: SessionIssuer;
  readonly card_signer: CardSigner;
  readonly documents: DocumentSigner;
  readonly pushes: WebPush;
  /** Takes and pays out money; null where PAYMENTS is none. */
  readonly processor: Processor | null;
  /** Pays out on a chain; null where CHAIN_RAIL is off. */
  readonly chain: ChainRail | null;
  readonly embedder: Embedder;
  /** The model of LLM_URL; null where there is none. */
  readonly negotiator: Negotiator | null;
  /** The only client for addresses that callers name. */
  readonly http: SafeHttp;
  readonly dns: Dns;
  /** Other sites on which accounts are proven. */
  readonly hosts: AccountHosts;
  /** The outside identity provider; null when the service signs people in itself. */
  readonly identity: OidcClient | null;
  readonly mailer: Mailer;
  readonly sms: SmsSender;
  readonly log: Log;
  /** Null, the default, when traces are not collected. */
  readonly tracer?: Tracer | null;
  /** The time of the database's clock, with manual moves; this machine's by default. */
  readonly shared_time?: (() => Promise<number>) | undefined;
  /** The millisecond clock that measures turns of the event loop; the process's own by default. */
  readonly time?: () => number;
  /** The checks of this machine and its settings; none by default. */
  readonly house?: HouseChecks;
  /** A new UUID version 7 on the service's clock. */
  readonly id: () => string;
  readonly random: (bytes: number) => Uint8Array;
  /** Compares every reply with its declared shape. */
  readonly check_replies: boolean;
}
