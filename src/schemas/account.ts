// The shapes of accounts on the wire.
import { type Static, Type } from 'typebox';
import { HANDOFF_PURPOSES } from '../domain/agent/handoff.ts';
import { ACCOUNT_HOSTS } from '../domain/identity/account-host.ts';
import { LANGUAGES } from '../domain/language.ts';
import { guide, step } from '../domain/next-step.ts';
import { IssuedKey } from './key.ts';
import { named, namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { Wallet } from './wallet.ts';
import { ClientName, Id, nullable, Time } from './wire.ts';

export const PlanName = named('PlanName', Type.Union([Type.Literal('free'), Type.Literal('pro')]));

export const LanguageName = named('LanguageName', Type.Enum([...LANGUAGES]));
/** Null where its person has not chosen. */
export const OwnLanguage = nullable(LanguageName, 'of the app, pages and letters; null: that of the browser');

export const AccountView = namedObject('Account', 'an account', {
  id: Id,
  email: Type.String(),
  plan: PlanName,
  created_at: Time,
});

// Counts of the credentials and outgoing connections of an account that `account.revoke_all` ends.

const Figure = Type.Integer({ minimum: 0 });

export const AccessToEnd = namedObject('AccountAccess', 'the access that account.revoke_all ends', {
  keys: Figure,
  sessions: Figure,
  programs: Type.Integer({ minimum: 0, description: 'connected programs' }),
  passkeys: Figure,
  browsers: Type.Integer({ minimum: 0, description: 'browsers with push notifications' }),
  push_configs: Type.Integer({ minimum: 0, description: 'push configs of tasks' }),
  webhooks: Type.Array(
    namedObject('WebhookToEnd', 'a webhook that is switched off', {
      id: Id,
      agent_handle: Type.String(),
      url: Type.String(),
    }),
    { description: 'switched off, not deleted; webhook.enable switches one on again' },
  ),
  key_pairs: Type.Array(
    namedObject('KeyPairToEnd', 'a key pair that ends', { agent_handle: Type.String(), fingerprint: Type.String() }),
  ),
  endpoints: Type.Array(
    namedObject('EndpointToEnd', 'an endpoint that is removed', { agent_handle: Type.String(), url: Type.String() }),
    { description: 'the `a2a_url` of agents' },
  ),
  and_more: Type.Boolean({ description: 'whether lists are incomplete; all of it ends' }),
});

// Links from agents to their people, on the wire.

/** The purpose of a link. */
export const HandoffPurpose = Type.Enum([...HANDOFF_PURPOSES]);

/** The token at the end of a link's address. */
export const HandoffToken = Type.String({ minLength: 1, maxLength: 200 });

// Shapes of proofs of accounts on other sites.

export const AccountSiteName = named(
  'AccountSiteName',
  Type.Enum(ACCOUNT_HOSTS, { description: '`oidc` is another provider configured for this server' }),
);

// Public keys on the wire (RFC 7517, RFC 8037).

const Jwk = namedObject('Jwk', 'a public key (RFC 8037)', {
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
});

export const JwkSet = namedObject('JwkSet', 'public keys for verifying signatures of the service', {
  keys: Type.Array(Jwk),
});

// The device grant on the wire.

export const BegunDeviceGrant = namedObject('BegunDeviceGrant', 'the code for the person, and the one for polling', {
  device_code: Type.String({ description: 'known to the program only' }),
  user_code: Type.String({ description: 'the code that the person types, XXXX-XXXX' }),
  verification_uri: Type.String({ format: 'uri', description: 'the page on which they type it' }),
  expires_in: Type.Integer({ description: 'seconds' }),
  interval: Type.Integer({ description: 'seconds to wait between two polls' }),
});

/** A poll without a key also has status 200; its body says why. */
export const PolledDeviceGrant = Type.Union([
  IssuedKey,
  namedObject('WaitingDeviceGrant', 'why a poll returns no key', {
    error: Type.Enum(['authorization_pending', 'slow_down', 'access_denied', 'expired_token']),
    message: Type.String(),
  }),
]);
export type PolledDeviceGrant = Static<typeof PolledDeviceGrant>;

/** The code as a person types it; case, blanks and dashes do not matter. */
export const UserCode = Type.String({ minLength: 1, maxLength: 32, description: 'as shown by the program' });

export const AskingDevice = namedObject('AskingDevice', 'the request of a program that waits with a code', {
  client_name: Type.String({ description: 'its name, unverified' }),
  scopes: Type.Array(Type.String()),
  expires_at: Time,
});

// Provisional agents on the wire: how one is asked for, given, and claimed.

export const ProvisionInput = Type.Object({
  install_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{32,128}$',
    description: 'random; store it with the key and keep it secret: it gives access to the agent',
  }),
  client_name: Type.Optional(ClientName),
});

export const Provisioned = namedObject('ProvisionedAgent', 'an unclaimed agent', {
  status: Type.Literal('provisioned'),
  provisional: Type.Literal(true),
  handle: Type.String(),
  ...IssuedKey.properties,
  wallet: Wallet,
  tell_the_user: Type.String({ description: 'show this text to the human' }),
  upgrade: guidanceShape({ description: 'how the human claims the agent' }),
});

export const ClaimedAgent = namedObject('ClaimedAgent', 'a claimed agent', {
  status: Type.Literal('claimed'),
  ...IssuedKey.properties,
  previous_key_valid_until: Type.String({
    format: 'date-time',
    description: 'the provisional key is valid until then',
  }),
  agent_handle: nullable(
    Type.String(),
    'the only agent that the key acts as, if the account existed before; null for any of the account',
  ),
});

export const tellTheUser = (instance_name: string): string =>
  `Your agent has a name and a wallet on ${instance_name}. It can look around and talk; it cannot spend, sell or be found until you ` +
  'claim it. Give it your email address and the six digits that we mail you.';

export const NEXT_CLAIM = guide`${step('provision.claim', 'email')} mails a code; ${step('provision.verify', 'email', 'code')} claims the agent and returns a full key.`;
