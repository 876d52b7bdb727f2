// A push service as browsers' makers run them, on loopback, with the browsers behind it: it refuses what is not signed, encrypted and
// bounded as the RFCs have it (8030, 8188, 8291, 8292), and opens what it takes as a browser would.

import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { jwtVerify } from 'jose';
import { DAY_MS } from '../../src/domain/time.ts';

export interface PushedText {
  readonly browser: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON was pushed.
  readonly told: any;
  readonly ttl: number;
  readonly urgency: string | null;
}

interface Browser {
  readonly keys: ECDH;
  readonly auth: Buffer;
}

export interface PushService {
  readonly url: string;
  readonly port: number;
  /** What was taken, oldest first. */
  readonly pushed: PushedText[];
  /** How often it was asked, whatever it answered. */
  asked: number;
  /** What it answers in place of taking a push; by the name of a browser. */
  readonly answers: Map<string, number>;
  /** What a new browser gives of itself. */
  subscribe(name: string): {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  stop(): Promise<void>;
}

const RECORD_MAX = 4_096;

/** Opens one record of aes128gcm for a browser. */
export function decryptPush({ keys, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16);
  if (body.readUInt32BE(16) > RECORD_MAX || body.length > RECORD_MAX) throw new Error('the record is too long');
  const sender = body.subarray(21, 21 + (body[20] ?? 0));
  const derived = (key: Uint8Array, salted: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', key, salted, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const material = derived(keys.computeSecret(sender), auth, info, 32);
  const key = derived(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const sealed = body.subarray(21 + sender.length);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (end < 0) throw new Error('there is no last record');
  return plain.subarray(0, end).toString();
}

/** A browser with known keys. */
export function browserOf(private_key: string, auth: string): Browser {
  const keys = createECDH('prime256v1');
  keys.setPrivateKey(Buffer.from(private_key, 'base64url'));
  return { keys, auth: Buffer.from(auth, 'base64url') };
}

/** Whether a request is signed by the key that it names, for this service and for a day at most. */
async function isSigned(request: Request, origin: string, now_ms: number): Promise<boolean> {
  const [, token = '', point = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
  const bytes = Buffer.from(point, 'base64url');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const { payload } = await jwtVerify(token, key, { audience: origin, currentDate: new Date(now_ms) });
    return (payload.exp ?? 0) * 1000 - now_ms <= DAY_MS && /^(mailto|https):/.test(payload.sub ?? '');
  } catch {
    return false;
  }
}

/** Starts one; `now` is the service's time. */
export function startPushService(now: () => number): PushService {
  const browsers = new Map<string, Browser>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      service.asked += 1;
      const name = new URL(request.url).pathname.split('/').at(-1) ?? '';
      const answer = service.answers.get(name);
      if (answer !== undefined) return new Response(null, { status: answer });
      const browser = browsers.get(name);
      if (!browser) return new Response(null, { status: 404 });
      if (!(await isSigned(request, service.url, now()))) return new Response(null, { status: 403 });
      const ttl = request.headers.get('ttl');
      if (ttl === null || request.headers.get('content-encoding') !== 'aes128gcm')
        return new Response(null, { status: 400 });
      const told = JSON.parse(decryptPush(browser, Buffer.from(await request.arrayBuffer())));
      service.pushed.push({ browser: name, told, ttl: Number(ttl), urgency: request.headers.get('urgency') });
      return new Response(null, { status: 201, headers: { Location: `${service.url}/message` } });
    },
  });
  const port = server.port ?? 0;
  const service: PushService = {
    url: `http://127.0.0.1:${port}`,
    port,
    pushed: [],
    asked: 0,
    answers: new Map(),
    subscribe: (name) => {
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      browsers.set(name, { keys, auth });
      return {
        endpoint: `${service.url}/push/${name}`,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      };
    },
    stop: () => server.stop(true),
  };
  return service;
}
