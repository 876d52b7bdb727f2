// The shapes of keys on the wire: as one is issued, and as it is listed.
import { Type } from 'typebox';
import { namedObject } from './named.ts';
import { ClientName, Code6, Email, Id, NullableTime, Time } from './wire.ts';

/** What a mailed code is traded with for a key. */
export const CodeInput = namedObject('CodeInput', 'the code that was mailed to an address', {
  email: Email,
  code: Code6,
  client_name: Type.Optional(ClientName),
});

export const IssuedKey = namedObject('IssuedKey', 'a new API key', {
  api_key: Type.String({ description: 'shown once; keep it' }),
  expires_at: Time,
  scopes: Type.Array(Type.String()),
});

export const DeveloperKey = namedObject('DeveloperKey', 'an API key that a person made for a program', {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'how the key begins, to tell it from others' }),
  scopes: Type.Array(Type.String()),
  agent_handle: Type.Union([Type.String(), Type.Null()], { description: 'the only agent that the key acts as' }),
  created_at: Time,
  last_used_at: NullableTime,
  expires_at: Time,
});
