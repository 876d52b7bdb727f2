// The token by which a browser shows its session on the service's own pages. It is made of the session's id under a key of the
// service, as the successor of a refresh token is: every node knows it, a copy of the database gives none away, and it ends when
// the session does. It opens pages alone; an API never looks at it.
import type { ServiceSecrets } from '../../contract/context.ts';
import { hmac, sameSecret } from '../../outbound/hash.ts';

type Key = Pick<ServiceSecrets, 'code_key'>;

export function pageToken(session_id: string, { code_key }: Key): string {
  const secret = Buffer.from(hmac(code_key, `page-session:${session_id}`), 'hex').toString('base64url');
  return `${session_id}.${secret}`;
}

/** The session that a page token names; null for what is none of ours. Whether it still stands is its row's to say. */
export function sessionOfPage(token: string, key: Key): string | null {
  const [, session_id] = /^([0-9a-f-]{36})\.[\w-]{43}$/.exec(token) ?? [];
  return session_id !== undefined && sameSecret(token, pageToken(session_id, key)) ? session_id : null;
}
