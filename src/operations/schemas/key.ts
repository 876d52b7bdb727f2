// The shape of a key as it is issued: shown this once.
import { Type } from 'typebox';
import { Time } from './wire.ts';

export const IssuedKey = Type.Object({
  api_key: Type.String({ description: 'shown once; keep it' }),
  expires_at: Time,
  scopes: Type.Array(Type.String()),
});
