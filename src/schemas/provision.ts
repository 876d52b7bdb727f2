// Provisional agents on the wire: how one is asked for, given, and claimed.
import { Type } from 'typebox';
import { guide, step } from '../domain/next-step.ts';
import { IssuedKey } from './key.ts';
import { namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { Wallet } from './wallet.ts';
import { ClientName } from './wire.ts';

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

/** What an agent tells its human. */
export const TELL_THE_USER =
  'Your agent has a name and a wallet on Meshwork. It can look around and talk; it cannot spend, sell or be found until it is ' +
  'yours. Give it your email address and the six digits that we mail you.';

export const NEXT_CLAIM = guide`${step('provision.claim', 'email')} mails a code; ${step('provision.verify', 'email', 'code')} makes the agent its human's and answers a full key.`;
