// Web push requests (RFC 8030), encrypted for the browser (RFC 8291 with the coding of RFC 8188) and signed for the push service
// (VAPID, RFC 8292). The safe HTTP client sends them.
import { type CipherGCM, createCipheriv, createECDH, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';

/** A browser's push subscription: its endpoint, and its keys in base64url. */
export interface PushAddress {
  readonly endpoint: string;
  /** The browser's public key: an uncompressed point of P-256. */
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushManner {
  /** How long the push service keeps it for an offline browser. */
  readonly ttl_seconds: number;
  readonly urgency: 'normal' | 'high';
}

export interface PushRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WebPush {
  /** The service's VAPID public key: an uncompressed P-256 point in base64url. */
  readonly public_key: string;
  /** The request that pushes a text. Throws when the browser's key is no point of the curve. */
  request(to: PushAddress, text: string, manner: PushManner, now_ms: number): Promise<PushRequest>;
}

const SALT_BYTES = 16;
/** The single record of a push is never longer; push services accept 4,096 bytes in all. */
const RECORD_BYTES = 4_096;
/** Push services refuse signatures valid for more than a day. */
const SIGNED_SECONDS = 43_200;
const LAST_RECORD = 0x02;

/** The random input of encryption; fixed only in tests. */
export interface Dice {
  readonly salt: Uint8Array;
  /** The ephemeral private key. */
  readonly private_key: Uint8Array;
}

const derived = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, info, bytes));

/** Encrypts a text for one browser. Throws when its key is no point of the curve. */
export function encryptPush({ p256dh, auth }: PushAddress, text: string, dice?: Dice): Uint8Array {
  const browser = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (dice) own.setPrivateKey(dice.private_key);
  else own.generateKeys();
  const own_public = own.getPublicKey();
  const salt = dice?.salt ?? randomBytes(SALT_BYTES);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own_public]);
  const material = derived(own.computeSecret(browser), Buffer.from(auth, 'base64url'), info, 32);
  const key = derived(material, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(material, salt, 'Content-Encoding: nonce\0', 12);
  const cipher: CipherGCM = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.update(Buffer.from([LAST_RECORD])), cipher.final()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  const head = [salt, size, Buffer.from([own_public.length]), own_public];
  return Buffer.concat([...head, ...sealed, cipher.getAuthTag()]);
}

/** Whether texts are valid keys of a browser. */
export function isPushKeys({ p256dh, auth }: Pick<PushAddress, 'p256dh' | 'auth'>): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    const own = createECDH('prime256v1');
    own.generateKeys();
    own.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/** Makes pushes that are signed with a P-256 key, with `contact` as the operator's address (VAPID `sub`). */
export function createWebPush(key: KeyObject, contact: string): WebPush {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const public_key = Buffer.concat(point).toString('base64url');
  return {
    public_key,
    request: async (to, text, { ttl_seconds, urgency }, now_ms) => {
      const signed = await new SignJWT({ sub: contact })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(new URL(to.endpoint).origin)
        .setExpirationTime(Math.floor(now_ms / 1000) + SIGNED_SECONDS)
        .sign(key);
      return {
        url: to.endpoint,
        headers: {
          Authorization: `vapid t=${signed}, k=${public_key}`,
          'Content-Encoding': 'aes128gcm',
          'Content-Type': 'application/octet-stream',
          TTL: String(ttl_seconds),
          Urgency: urgency,
        },
        body: encryptPush(to, text),
      };
    },
  };
}
