// The device grant on the wire.
import { type Static, Type } from 'typebox';
import { IssuedKey } from './key.ts';
import { namedObject } from './named.ts';
import { Time } from './wire.ts';

export const BegunDeviceGrant = namedObject('BegunDeviceGrant', 'what a person types, and what a program polls with', {
  device_code: Type.String({ description: 'of the program alone' }),
  user_code: Type.String({ description: 'what the person types, XXXX-XXXX' }),
  verification_uri: Type.String({ format: 'uri', description: 'where they type it' }),
  expires_in: Type.Integer({ description: 'seconds' }),
  interval: Type.Integer({ description: 'seconds to wait between two polls' }),
});

/** A poll that brings no key says so in its body, with status 200. */
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
