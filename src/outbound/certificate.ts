// Makes a self-signed certificate: for the SMTP listener when none is configured, because mail servers encrypt opportunistically
// (RFC 7435), and for HOST:PORT until that of ACME_DOMAIN is issued.

import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { DAY_MS } from '../domain/time.ts';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const YEAR_MS = 365 * DAY_MS;
const YEARS = 10;

/** ASN.1 in DER (X.690): a tag, a length, what it holds. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length < 0x100 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const SEQUENCE = 0x30;
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** ecdsa-with-SHA256 (RFC 5758, 3.2). */
const ALGORITHM = der(SEQUENCE, hex('06082a8648ce3d040302'));
const COMMON_NAME = hex('0603550403');
const SUBJECT_ALT_NAME = hex('0603551d11');

/** A time as GeneralizedTime, whole seconds. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return der(0x18, Buffer.from(digits));
}

/** Makes a P-256 certificate for a host name, valid for ten years from `now_ms`. */
export function makeCertificate(host: string, now_ms: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // A common name has at most 64 letters; what counts is the alternative name.
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(host.slice(0, 64))))));
  const names = der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, der(0x82, Buffer.from(host)))));
  const unsigned = der(
    SEQUENCE,
    der(0xa0, hex('020102')),
    // A serial number is positive; the time is never used twice for one key.
    der(0x02, hex(`01${now_ms.toString(16).padStart(16, '0')}`)),
    ALGORITHM,
    name,
    der(SEQUENCE, time(now_ms - YEAR_MS / 365), time(now_ms + YEARS * YEAR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, names)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', unsigned, privateKey));
  const whole = der(SEQUENCE, unsigned, ALGORITHM, signature);
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  const cert = `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Why a certificate and a key cannot be used together; null when they can. */
export function certificateProblem({ cert, key }: Certificate): string | null {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? null : 'the key belongs to another one';
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be read';
  }
}
