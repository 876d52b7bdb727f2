// The one spelling in which a compact JWS is taken. Decoders of base64url forgive stray bits, padding and line breaks, so
// without this check one token would have many texts, and vectors that must fail would pass (RFC 7515, 2 and 5.2).

/** Whether a text is three parts of base64url, each exactly as an encoder would have written it. */
export function isCanonicalJws(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
