// A device that makes passkeys and signs with them, as WebAuthn says (Level 3, 6): P-256, or Ed25519 out of a seed, whose signatures are
// the same each time; a count; its person always recognised. What it is told wrongly it signs, so that tests can send what no
// browser would.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const PRESENT_AND_VERIFIED = 0x05;
const WITH_KEY = 0x40;

/** A byte string of CBOR, and a text. */
function cborBytes(bytes: Uint8Array): Buffer {
  const { length } = bytes;
  return Buffer.concat([
    length < 256 ? Buffer.from([0x58, length]) : Buffer.from([0x59, length >> 8, length & 255]),
    bytes,
  ]);
}
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** The public key as COSE has it: EC2, ES256, P-256; or OKP, EdDSA, Ed25519. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y } = key.export({ format: 'jwk' });
  const [px, py] = [x, y ?? ''].map((part) => cborBytes(Buffer.from(part, 'base64url')));
  if (y === undefined)
    return Buffer.concat([Buffer.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21]), px ?? Buffer.of()]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  return Buffer.concat([head, px ?? Buffer.of(), Buffer.from([0x22]), py ?? Buffer.of()]);
}

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410). */
const ED25519_DER = Buffer.from('302e020100300506032b657004220420', 'hex');

function keysOf(seed: string | undefined): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (seed === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = Buffer.concat([ED25519_DER, sha256(seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** What may be told in place of what is so. */
export interface Told {
  readonly origin?: string;
  /** Whether the page was in a frame of another site. */
  readonly cross?: boolean;
  readonly rp_id?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly count?: number;
  readonly user?: string | null;
  /** The format of the attestation. */
  readonly fmt?: string;
}

export interface Authenticator {
  readonly id: string;
  /** The count of its last signature. */
  count: number;
  /** As `navigator.credentials.create` gives it. */
  make(
    options: {
      readonly challenge: string;
      readonly rp: { readonly id: string };
      readonly user: { readonly id: string };
    },
    told?: Told,
  ): MadeJson;
  /** As `navigator.credentials.get` does. */
  show(options: { readonly challenge: string; readonly rpId: string }, told?: Told): ShownJson;
}

export interface MadeJson {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
}

export interface ShownJson {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** A new device that visits pages of `origin`. */
export function newAuthenticator(origin = 'http://localhost', seed?: string): Authenticator {
  const { publicKey, privateKey } = keysOf(seed);
  const id = seed === undefined ? randomBytes(16) : sha256(`id of ${seed}`).subarray(0, 16);
  let user = '';
  const clientData = (type: string, challenge: string, told: Told): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: told.type ?? type,
        challenge,
        origin: told.origin ?? origin,
        crossOrigin: told.cross ?? false,
      }),
    );
  const dataOf = (rp_id: string, flags: number, count: number): Buffer => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(count);
    return Buffer.concat([sha256(rp_id), Buffer.from([flags]), counted]);
  };
  const device: Authenticator = {
    id: b64(id),
    count: 0,
    make: ({ challenge, rp, user: whose }, told = {}) => {
      user = whose.id;
      device.count = told.count ?? device.count + 1;
      const flags = (told.flags ?? PRESENT_AND_VERIFIED) | WITH_KEY;
      const head = dataOf(told.rp_id ?? rp.id, flags, device.count);
      const data = Buffer.concat([head, Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText(told.fmt ?? 'none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ]);
      const response = {
        clientDataJSON: b64(clientData('webauthn.create', challenge, told)),
        attestationObject: b64(attestation),
        transports: ['internal'],
      };
      return { id: device.id, response };
    },
    show: ({ challenge, rpId }, told = {}) => {
      device.count = told.count ?? device.count + 1;
      const data = dataOf(told.rp_id ?? rpId, told.flags ?? PRESENT_AND_VERIFIED, device.count);
      const said = clientData('webauthn.get', challenge, told);
      const signature = sign(seed === undefined ? 'sha256' : null, Buffer.concat([data, sha256(said)]), privateKey);
      const whose = told.user === undefined ? user : told.user;
      const response = {
        clientDataJSON: b64(said),
        authenticatorData: b64(data),
        signature: b64(signature),
        ...(whose !== null && { userHandle: whose }),
      };
      return { id: device.id, response };
    },
  };
  return device;
}
