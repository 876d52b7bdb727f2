// What a call that waits for input gives its client to bring back: sealed, so that nobody can make or change one, and bound to
// who called and to the call itself, so that it serves nobody else and no other call (MCP 2026-07-28, multi round-trip requests).
import { timingSafeEqual } from 'node:crypto';

/** People are slow; a state that is older is of a call that nobody waits for. */
const STATE_MS = 60 * 60_000;
/** Says what the key seals here, which is used for other things too. */
const PURPOSE = 'mcp request state\n';
/** Far above what any call has to remember. */
const STATE_MAX = 16_384;

export interface StateOwner {
  readonly caller: string;
  readonly method: string;
  /** What the call is about: the parameters that it comes back with. */
  readonly about: unknown;
}

interface Sealed {
  readonly until: number;
  readonly state: unknown;
}

function seal(key: Uint8Array, { caller, method, about }: StateOwner, body: string): string {
  const owner = JSON.stringify([caller, method, about]);
  return new Bun.CryptoHasher('sha256', key).update(`${PURPOSE}${owner}\n${body}`).digest('base64url');
}

export function sealState(key: Uint8Array, owner: StateOwner, state: unknown, now_ms: number): string {
  const sealed: Sealed = { until: now_ms + STATE_MS, state };
  const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return `${body}.${seal(key, owner, body)}`;
}

/** What was sealed; undefined for what was not sealed here, for this owner, or too long ago. */
export function openState(
  key: Uint8Array,
  owner: StateOwner,
  text: string,
  now_ms: number,
): { state: unknown } | undefined {
  if (text.length > STATE_MAX) return undefined;
  const dot = text.indexOf('.');
  const body = text.slice(0, dot);
  const shown = Buffer.from(text.slice(dot + 1));
  const wanted = Buffer.from(seal(key, owner, body));
  if (dot < 0 || shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return undefined;
  // Only what this service sealed comes so far.
  const { until, state } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  return until > now_ms ? { state } : undefined;
}
