// What the service is put together from: main brings the real parts, tests and the simulation a virtual clock, seeded randomness and
// doubles.
import type { MovableClock } from '../../actors/clock.ts';
import type { Store } from '../../db/store.ts';
import type { Retention } from '../domain/retention.ts';
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

/** The configuration that the service needs beside what its operations are told. */
export interface ServiceSettings extends EntrySettings {
  readonly data_dir: string;
  /** For how long what is kept. */
  readonly retention: Retention;
  /** Where flaws of the service are reported: a URI. */
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
  /** The one way out to addresses that strangers name. */
  readonly http: SafeHttp;
  readonly dns: Dns;
  /** Other sites on which accounts are proven. */
  readonly hosts: AccountHosts;
  /** The identity provider elsewhere; null where the service signs people in by itself. */
  readonly identity: OidcClient | null;
  readonly mailer: Mailer;
  readonly sms: SmsSender;
  readonly log: Log;
  /** Null where nobody collects traces, as unless said. */
  readonly tracer?: Tracer | null;
  /** The time of the database's clock, moves by hand included; this machine's counts unless said. */
  readonly shared_time?: (() => Promise<number>) | undefined;
  /** Milliseconds by which turns of the event loop are measured; the process's own unless said. */
  readonly time?: () => number;
  /** Looks at this machine and its settings; nothing of them is known unless said. */
  readonly house?: HouseChecks;
  /** A new UUID version 7 on the service's clock. */
  readonly id: () => string;
  readonly random: (bytes: number) => Uint8Array;
  /** Compares every reply with its declared shape. */
  readonly check_replies: boolean;
}
