// The secrets that the service creates in DATA_DIR (rules.md 1): each file has mode 0600 and is created atomically. Processes
// that start together agree: the first link wins and the others read its file.

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SEAL_KEY_BYTES } from './seal.ts';
import { parseSessionKeys, type SessionKey } from './session/issuer.ts';

/** The result of `loadSecrets`. Lists of keys are never empty; the first key signs, all verify. */
export interface Secrets {
  readonly internalToken: string;
  readonly sessionKeys: readonly SessionKey[];
  readonly cardKeys: readonly SessionKey[];
  readonly documentKeys: readonly SessionKey[];
  readonly sealKey: Uint8Array;
  /** The P-256 key by which push services identify the service. */
  readonly pushKey: KeyObject;
  /** The names of those that were missing and are new. */
  readonly made: readonly string[];
}

/** The check values of each secret's keys by its name; they identify a key without revealing it. */
export type CheckValues = Readonly<Record<string, readonly string[]>>;

/** The check values of all secrets whose loss matters: the internal token may change at each start. */
export function checkValues({ sessionKeys, cardKeys, documentKeys, sealKey, pushKey }: Secrets): CheckValues {
  const idsOf = (keys: readonly SessionKey[]): string[] => keys.map(({ kid }) => kid);
  const pushed = createPublicKey(pushKey).export({ type: 'spki', format: 'der' });
  return {
    'seal-key': [createHmac('sha256', sealKey).update('meshwork check value').digest('base64url')],
    'session-key.json': idsOf(sessionKeys),
    'card-key.json': idsOf(cardKeys),
    'document-key.json': idsOf(documentKeys),
    'push-key.json': [createHash('sha256').update(pushed).digest('base64url')],
  };
}

/** The service note with the check values. */
export const SECRETS_NOTE = 'secrets';

/** The files of a data folder that hold a secret. */
export const SECRET_FILES = [
  'internal-token',
  'seal-key',
  'session-key.json',
  'card-key.json',
  'document-key.json',
  'push-key.json',
] as const;

/** Whether at least one key is known: sets of keys are changed one key at a time, other secrets have one value. */
function isKnown(known: unknown, values: readonly string[]): boolean {
  return known === undefined || (Array.isArray(known) && values.some((value) => known.includes(value)));
}

/** The names of those that differ from a database's check values. */
export function strangeAmong(known: Readonly<Record<string, unknown>>, values: CheckValues): string[] {
  return Object.keys(values).filter((name) => !isKnown(known[name], values[name] ?? []));
}

/** Deletes the secrets that a refused start created, so that the next start reports them missing again. */
export async function forgetMade(dir: string, made: readonly string[]): Promise<void> {
  for (const name of made) await unlink(join(dir, name));
}

type SecretSource = (name: string, make: () => string) => Promise<string>;

const PRIVATE_FILE = 0o600;
const PRIVATE_DIR = 0o700;
const STICKY = 0o1000;

/**
 * Reads the secrets of a data directory and makes those that are missing: `internal-token` (text), `session-key.json`,
 * `card-key.json` and `document-key.json` (JWK sets of Ed25519 private keys), `seal-key` (32 bytes as base64url),
 * `push-key.json` (a JWK of P-256). A configured INTERNAL_TOKEN stands in for its file,
 * which is then neither read nor made. Throws an Error that names the file when one is damaged.
 */
export async function loadSecrets(dir: string, internalToken?: string): Promise<Secrets> {
  await privateDirectory(dir);
  return secretsFrom((name, make) => secretFile(join(dir, name), make), internalToken);
}

/** The same without creating files: missing secrets are made only for the caller, and named. */
export async function loadedSecrets(dir: string): Promise<Secrets> {
  // The internal token does not matter here.
  return secretsFrom(async (name, make) => (await readIfThere(join(dir, name))) ?? make(), 'not looked at here');
}

/** The same from another source, which returns a secret by its name or stores the one that `make` returns. */
export async function secretsFrom(source: SecretSource, internalToken?: string): Promise<Secrets> {
  const made: string[] = [];
  const secret: SecretSource = (name, make) =>
    source(name, () => {
      made.push(name);
      return make();
    });
  const token = internalToken ?? (await makeToken(secret));
  const sealKey = Buffer.from((await secret('seal-key', randomText)).trim(), 'base64url');
  if (sealKey.length !== SEAL_KEY_BYTES) throw new Error('seal-key: it must hold 32 bytes as base64url');
  const keysOf = async (name: string) => parseSessionKeys(await secret(name, newSessionKeys), name);
  return {
    internalToken: token,
    sessionKeys: await keysOf('session-key.json'),
    cardKeys: await keysOf('card-key.json'),
    documentKeys: await keysOf('document-key.json'),
    sealKey: new Uint8Array(sealKey),
    pushKey: parsePushKey(await secret('push-key.json', newPushKey)),
    made,
  };
}

/** A truncated file would make `/internal/*` guessable; the length of a configured token is the operator's choice. */
async function makeToken(secret: SecretSource): Promise<string> {
  const token = (await secret('internal-token', randomText)).trim();
  if (token.length < 16) throw new Error('internal-token: it must hold at least 16 characters');
  return token;
}

const randomText = (): string => `${randomBytes(SEAL_KEY_BYTES).toString('base64url')}\n`;

function newSessionKeys(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] })}\n`;
}

function parsePushKey(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // An unreadable key gets the same error, which must not contain key material.
  }
  throw new Error('push-key.json: it must hold the JWK of a private key of P-256');
}

function newPushKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`;
}

/** Creates the directory, or removes others' access to an existing one of ours; a shared one such as /tmp is unchanged. */
async function privateDirectory(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: PRIVATE_DIR });
  const { mode, uid } = await stat(dir);
  const ours = uid === process.getuid?.() && (mode & STICKY) === 0;
  if (ours && (mode & 0o077) !== 0) await chmod(dir, PRIVATE_DIR);
}

async function secretFile(path: string, make: () => string): Promise<string> {
  const present = await readIfThere(path);
  if (present !== undefined) return present;
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(draft, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(make());
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    // A restored backup may have a wider mode from its extraction.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, PRIVATE_FILE);
    return text;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
