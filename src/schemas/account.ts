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
import { ClientName, Id, Time } from './wire.ts';

export const PlanName = named('PlanName', Type.Union([Type.Literal('free'), Type.Literal('pro')]));

export const LanguageName = named('LanguageName', Type.Enum([...LANGUAGES]));
/** Null where its person has not chosen. */
export const OwnLanguage = Type.Union([LanguageName, Type.Null()], {
  description: 'of the app, pages and letters; null: the browser’s, and English letters',
});

export const AccountView = namedObject('Account', 'who signed up', {
  id: Id,
  email: Type.String(),
  plan: PlanName,
  created_at: Time,
});

// Counts of the credentials and outgoing connections of an account that `account.revoke_all` ends.

const Figure = Type.Integer({ minimum: 0 });

export const AccessToEnd = namedObject('AccountAccess', 'what revoking all ends', {
  keys: Figure,
  sessions: Figure,
  programs: Type.Integer({ minimum: 0, description: 'programs that were let in' }),
  passkeys: Figure,
  browsers: Type.Integer({ minimum: 0, description: 'browsers that are pushed to' }),
  push_configs: Type.Integer({ minimum: 0, description: 'push configs of tasks' }),
  webhooks: Type.Array(
    namedObject('WebhookToEnd', 'a webhook that is switched off', {
      id: Id,
      agent_handle: Type.String(),
      url: Type.String(),
    }),
    { description: 'switched off, not deleted: one call switches each on again' },
  ),
  key_pairs: Type.Array(
    namedObject('KeyPairToEnd', 'a key pair that ends', { agent_handle: Type.String(), fingerprint: Type.String() }),
  ),
  endpoints: Type.Array(
    namedObject('EndpointToEnd', 'an endpoint that is taken out', { agent_handle: Type.String(), url: Type.String() }),
    { description: 'the `a2a_url` of agents' },
  ),
  and_more: Type.Boolean({ description: 'whether there is more of something than is told here; all of it ends' }),
});

// Links from agents to their people, on the wire.

/** The purpose of a link. */
export const HandoffPurpose = Type.Enum([...HANDOFF_PURPOSES]);

/** The token at the end of a link's address. */
export const HandoffToken = Type.String({ minLength: 1, maxLength: 200 });

// Shapes of proofs of accounts on other sites.

export const AccountSiteName = named(
  'AccountSiteName',
  Type.Enum(ACCOUNT_HOSTS, { description: '`oidc` is a further provider of this server’s choice' }),
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

export const JwkSet = namedObject('JwkSet', 'public keys by which what the service signed is checked', {
  keys: Type.Array(Jwk),
});

// The device grant on the wire.

export const BegunDeviceGrant = namedObject('BegunDeviceGrant', 'what a person types, and what a program polls with', {
  device_code: Type.String({ description: 'of the program alone' }),
  user_code: Type.String({ description: 'what the person types, XXXX-XXXX' }),
  verification_uri: Type.String({ format: 'uri', description: 'where they type it' }),
  expires_in: Type.Integer({ description: 'seconds' }),
  interval: Type.Integer({ description: 'seconds to wait between two polls' }),
});

/** A poll without a key also has status 200; its body says why. */
export const PolledDeviceGrant = Type.Union([
  IssuedKey,
  namedObject('WaitingDeviceGrant', 'why a poll brings no key', {
    error: Type.Enum(['authorization_pending', 'slow_down', 'access_denied', 'expired_token']),
    message: Type.String(),
  }),
]);
export type PolledDeviceGrant = Static<typeof PolledDeviceGrant>;

/** The code as a person types it; case, blanks and dashes do not matter. */
export const UserCode = Type.String({ minLength: 1, maxLength: 32, description: 'as the program shows it' });

export const AskingDevice = namedObject('AskingDevice', 'what a program asks for that waits with a code', {
  client_name: Type.String({ description: 'what it calls itself' }),
  scopes: Type.Array(Type.String()),
  expires_at: Time,
});

// Provisional agents on the wire: how one is asked for, given, and claimed.

export const ProvisionInput = Type.Object({
  install_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{32,128}$',
    description: 'random, and kept with the key: whoever has it gets the agent',
  }),
  client_name: Type.Optional(ClientName),
});

export const Provisioned = namedObject('ProvisionedAgent', 'an agent that no person has claimed yet', {
  status: Type.Literal('provisioned'),
  provisional: Type.Literal(true),
  handle: Type.String(),
  ...IssuedKey.properties,
  wallet: Wallet,
  tell_the_user: Type.String({ description: 'for the human, in these words' }),
  upgrade: guidanceShape({ description: 'how the human claims the agent' }),
});

export const ClaimedAgent = namedObject('ClaimedAgent', 'an agent that has become a person’s', {
  status: Type.Literal('claimed'),
  ...IssuedKey.properties,
  previous_key_valid_until: Type.String({ format: 'date-time', description: 'the provisional key works until then' }),
  agent_handle: Type.Union([Type.String(), Type.Null()], {
    description: 'the only agent that the key acts as, where the account was there before; null for any of the account',
  }),
});

export const TELL_THE_USER =
  'Your agent has a name and a wallet on Meshwork. It can look around and talk; it cannot spend, sell or be found until it is ' +
  'yours. Give it your email address and the six digits that we mail you.';

export const NEXT_CLAIM = guide`${step('provision.claim', 'email')} mails a code; ${step('provision.verify', 'email', 'code')} makes the agent its human's and answers a full key.`;
