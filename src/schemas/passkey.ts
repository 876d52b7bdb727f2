// Passkeys on the wire: the list, and the options and responses of browsers. The latter are the JSON shapes of WebAuthn
// (Level 3, 5.1: …JSON), so that a page passes them on unchanged.
import { type Static, type TString, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { MAY_HOLD_MORE, namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableTime, nullable, Time, visibleText } from './wire.ts';

/** Bytes in base64url. */
function bytes(chars_max: number, description: string): TString {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: chars_max,
    description: `${description}, in base64url`,
  });
}

/** A credential id has 1,023 bytes at most. */
const CREDENTIAL_CHARS = 1_364;
const CredentialId = bytes(CREDENTIAL_CHARS, 'the credential id');
const ClientData = bytes(4_096, 'clientDataJSON of the browser');

/** The transports of a passkey: usb, nfc, ble, internal, hybrid, and future ones. */
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 });

export const PasskeyName = visibleText(100);

export const Passkey = namedObject('Passkey', 'a passkey of a person', {
  id: Id,
  name: Type.String(),
  backed_up: Type.Boolean({ description: 'whether it is synced to other devices of its person' }),
  copied: Type.Boolean({
    description: 'whether its counter decreased: it can no longer sign in, since there may be a copy',
  }),
  created_at: Time,
  last_used_at: NullableTime,
});

export function passkeyView({
  id,
  name,
  backed_up,
  copied_at,
  created_at,
  used_at,
}: Row<'passkeys'>): Static<typeof Passkey> {
  return {
    id,
    name,
    backed_up: backed_up === 1,
    copied: copied_at !== null,
    created_at: iso(created_at),
    last_used_at: isoOrNull(used_at),
  };
}

const CredentialDescriptor = Type.Object({
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Array(Type.String()),
});

export const CreationOptions = namedObject('PasskeyCreation', 'for `navigator.credentials.create`', {
  challenge: Type.String({ description: 'valid once, within five minutes' }),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'milliseconds' }),
  attestation: Type.Literal('none'),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  excludeCredentials: Type.Array(CredentialDescriptor),
});

export const RequestOptions = namedObject('PasskeyRequest', 'for `navigator.credentials.get`', {
  challenge: Type.String({ description: 'valid once, within five minutes' }),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'milliseconds' }),
  userVerification: Type.Literal('required'),
});

export const MadeCredentialInput = namedObject(
  'MadeCredential',
  'the result of `navigator.credentials.create`',
  {
    id: CredentialId,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        attestationObject: bytes(8_192, 'the new key'),
        transports: Type.Optional(Transports),
      },
      MAY_HOLD_MORE,
    ),
  },
  MAY_HOLD_MORE,
);

export const ShownCredentialInput = namedObject(
  'ShownCredential',
  'the result of `navigator.credentials.get`',
  {
    id: CredentialId,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        authenticatorData: bytes(4_096, 'authenticatorData of the device'),
        signature: bytes(2_048, 'of both'),
        userHandle: Type.Optional(nullable(bytes(128, 'the user handle'))),
      },
      MAY_HOLD_MORE,
    ),
  },
  MAY_HOLD_MORE,
);
