// Verifies a device's answer to a challenge, with @simplewebauthn/server. The library is loaded at the first passkey, because its
// certificate parsers are large. Attestation statements are never evaluated, because the library would fetch certificate
// revocation lists with a client of its own.
import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { RelyingParty } from '../domain/identity/passkey.ts';
import { isObject } from '../domain/json.ts';

/** The result of `navigator.credentials.create`, by its `toJSON`. */
export interface MadeCredential {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** The result of `navigator.credentials.get`. */
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
  // A dependency needs this at run time without declaring it; the bundled binary would lack it.
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

/** Whether there is no attestation of the maker: `none`, or self attestation. */
function tellsNoMaker(told: AttestationObject): boolean {
  const fmt = told.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && told.get('attStmt').get('x5c') === undefined);
}

/** The challenge named in an answer; null for an invalid one, and for one made in a frame of another site, which the library does not
 * refuse (WebAuthn Level 3, 7.1 and 7.2). It is looked up, and compared again in the check. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    if (!isObject(said) || said['crossOrigin'] === true) return null;
    const { challenge } = said;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** A new passkey, made on a page of `party` with user verification; null for anything else. */
export async function checkMade(
  { id, response }: MadeCredential,
  challenge: string,
  party: RelyingParty,
  algorithms: readonly number[],
): Promise<NewPasskey | null> {
  // Outside the try: a failed load is no fault of the answer.
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
    // The library throws for every mismatch; the reason would only help an attacker.
    return null;
  }
}

/** The result of a passkey's answer with user presence and verification. */
export interface ShownPasskey {
  readonly counter: number;
  readonly backed_up: boolean;
}

/** The result of an answer signed by this passkey, on a page of `party`, with user verification; else null. */
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
      // The counter is compared in the commit, with the current row, and only after the signature is verified, or a forged answer
      // could mark a passkey as copied.
      credential: { id: known.credential_id, publicKey: bytesOf(known.public_key), counter: 0 },
    });
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return verified ? { counter: newCounter, backed_up: credentialBackedUp } : null;
  } catch {
    return null;
  }
}
