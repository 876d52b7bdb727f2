// Reads and checks what a device answers to a challenge, by @simplewebauthn/server. The library is loaded when the first passkey is
// used: its parsers of certificates are large. What a maker says of its device is never looked at, so none of its addresses is
// called: the library would fetch lists of revoked certificates with a client of its own.
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { RelyingParty } from '../domain/identity/passkey.ts';

/** What `navigator.credentials.create` gave, as its `toJSON` writes it. */
export interface MadeCredential {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** What `navigator.credentials.get` gave. */
export interface ShownCredential {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null | undefined;
  };
}

export interface NewPasskey {
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly backed_up: boolean;
}

const library = async () => {
  // A part of it asks for this, and says so only when it runs: bundled into the binary nothing else brings it along.
  await import('reflect-metadata');
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = server;
  return {
    verifyAuthenticationResponse,
    verifyRegistrationResponse,
    decodeAttestationObject: helpers.decodeAttestationObject,
  };
};

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'base64url'));

/** Whether a device says nothing of who made it: none, or a signature with the new key itself. */
function tellsNoMaker(told: AttestationObject): boolean {
  const fmt = told.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && told.get('attStmt').get('x5c') === undefined);
}

/** The challenge that an answer says it answers; null for what is no answer. It is looked up, and compared again when checked. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = typeof said === 'object' && said !== null && 'challenge' in said ? said.challenge : null;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** A new passkey, made on a page of `party` by somebody whom the device knows; null for anything else. */
export async function checkMade(
  { id, response }: MadeCredential,
  challenge: string,
  party: RelyingParty,
  algorithms: readonly number[],
): Promise<NewPasskey | null> {
  // What cannot be loaded is no fault of the answer.
  const { verifyRegistrationResponse, decodeAttestationObject } = await library();
  try {
    if (!tellsNoMaker(decodeAttestationObject(bytesOf(response.attestationObject)))) return null;
    const { clientDataJSON, attestationObject } = response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      backed_up: credentialBackedUp,
    };
  } catch {
    // The library throws for whatever does not fit; why it did not would only help who forges.
    return null;
  }
}

/** What a passkey's answer proves: its holder is here, and was seen by the device. */
export interface ShownPasskey {
  readonly counter: number;
  readonly backed_up: boolean;
}

/** Whether an answer was signed by this passkey, on a page of `party`, by somebody whom the device knows; null where not. */
export async function checkShown(
  { id, response }: ShownCredential,
  challenge: string,
  party: RelyingParty,
  known: { readonly credential_id: string; readonly public_key: string },
): Promise<ShownPasskey | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The count is compared in the commit, with what the row says then; and only once the signature holds, or a stranger could
      // make somebody's passkey look copied.
      credential: { id: known.credential_id, publicKey: bytesOf(known.public_key), counter: 0 },
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, backed_up: credentialBackedUp } : null;
  } catch {
    return null;
  }
}
