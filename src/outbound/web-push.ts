// Pushes to browsers (RFC 8030), encrypted so that the push service reads nothing (RFC 8291, in the coding of RFC 8188), and signed so
// that it knows who sends (RFC 8292). It makes the request; the one client for what leaves the house sends it.
import { type CipherGCM, createCipheriv, createECDH, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';

/** A browser that asked to be pushed to: where, and its keys in base64url. */
export interface PushAddress {
  readonly endpoint: string;
  /** The browser's public key: an uncompressed point of P-256. */
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushManner {
  /** For how long the push service keeps it for a browser that is away. */
  readonly ttl_seconds: number;
  readonly urgency: 'normal' | 'high';
}

export interface PushRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WebPush {
  /** By which browsers know the service: an uncompressed point of P-256, in base64url. */
  readonly public_key: string;
  /** The request that pushes a text. Throws where the browser's key is no point of the curve. */
  request(to: PushAddress, text: string, manner: PushManner, now_ms: number): Promise<PushRequest>;
}

const SALT_BYTES = 16;
/** The one record of a push is never longer; push services take 4,096 bytes in all. */
const RECORD_BYTES = 4_096;
/** Push services refuse what is signed for more than a day. */
const SIGNED_SECONDS = 43_200;
const LAST_RECORD = 0x02;

/** What encryption takes beside the text; random, save in tests. */
export interface Dice {
  readonly salt: Uint8Array;
  /** The private key that is used this once. */
  readonly private_key: Uint8Array;
}

const derived = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, info, bytes));

/** A text, encrypted for one browser. Throws where its key is no point of the curve. */
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

/** Whether texts are the keys that a browser gives. */
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

/** Pushes that are signed with a key of P-256, in the name of whoever `contact` reaches. */
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
