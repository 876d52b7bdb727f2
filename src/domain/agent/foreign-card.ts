// The card of another agent, as its own server shows it: which dialect it speaks, where and how it is called, and over which
// texts its signatures may have been made (protocols.md 4). A card is a stranger's word: it can send nobody to another's
// host, and speaks for an address only where it stands beneath it or names it.

import { getDomain } from 'tldts';
import { isObject, type Json } from '../json.ts';
import { DIALECTS, type Dialect } from '../task/task.ts';
import { canonicalJson } from './canonical-json.ts';
import { cardPayload } from './card.ts';

export type Binding = 'JSONRPC' | 'HTTP+JSON';

export interface CardInterface {
  readonly url: string;
  readonly dialect: Dialect;
  readonly binding: Binding;
  /** What the body names where several agents share the address. */
  readonly tenant: string | null;
}

/** A card's address, and whether the registered address lies under it. */
export interface CardPlace {
  readonly url: string;
  /** The host's own card: it speaks for the address only if it names it. */
  readonly is_hosts: boolean;
}

/** More interfaces than any card needs; each is looked up. */
const INTERFACES_MAX = 16;
/** More signatures than any card needs; each may be a look at another's keys. */
export const SIGNATURES_MAX = 4;
/** The newer file first. */
const FILES = ['agent-card.json', 'agent.json'] as const;

/** Where the card of the agent at an address may stand, the likeliest first. */
export function cardPlaces(registered: string): CardPlace[] {
  const url = URL.parse(registered);
  if (!url) return [];
  if (url.pathname.endsWith('.json')) return [{ url: registered, is_hosts: false }];
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}/`;
  const root = `${url.origin}/`;
  const places = FILES.flatMap((file) => {
    const own = { url: `${base}.well-known/${file}`, is_hosts: false };
    return base === root ? [own] : [own, { url: `${root}.well-known/${file}`, is_hosts: true }];
  });
  return places;
}

/** Whether two addresses belong to one party: the same host, or one domain under which only its owner names hosts. */
export function areKin(a: string, b: string): boolean {
  const [left, right] = [URL.parse(a)?.hostname, URL.parse(b)?.hostname];
  if (!left || !right) return false;
  const domain = getDomain(left, { allowPrivateDomains: true });
  return left === right || (domain !== null && domain === getDomain(right, { allowPrivateDomains: true }));
}

/** Whether two addresses are of one scheme, host and port: keys of a card stand nowhere else. */
export function isAtHostOf(url: string, of: string): boolean {
  const [left, right] = [URL.parse(url), URL.parse(of)];
  return left !== null && right !== null && left.origin === right.origin;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function bindingOf(name: string): Binding | null {
  return name === 'JSONRPC' || name === 'HTTP+JSON' ? name : null;
}

/** The versions of the protocol in which `message/send` has its name are one dialect. */
function dialectOf(version: string): Dialect | null {
  if (version === '' || /^1\.\d/.test(version)) return '1.0';
  return /^0\.[23](\.|$)/.test(version) ? '0.3' : null;
}

function interfaceOf(url: unknown, binding: unknown, dialect: Dialect | null, tenant: unknown): CardInterface[] {
  const as = bindingOf(textOf(binding));
  if (dialect === null || as === null || textOf(url) === '') return [];
  return [{ url: textOf(url), dialect, binding: as, tenant: textOf(tenant) || null }];
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.slice(0, INTERFACES_MAX).filter(isObject) : [];
}

/** Newer before older, and of each JSON-RPC first. */
function rank({ dialect, binding }: CardInterface): number {
  return DIALECTS.indexOf(dialect) * 2 + (binding === 'JSONRPC' ? 1 : 0);
}

/** The ways in which a card says its agent is called, the best first. */
export function interfacesOf(card: Json): CardInterface[] {
  const named = listOf(card['supportedInterfaces']).flatMap(({ url, protocolBinding, protocolVersion, tenant }) =>
    interfaceOf(url, protocolBinding, dialectOf(textOf(protocolVersion)), tenant),
  );
  if (named.length > 0) return named.toSorted((a, b) => rank(b) - rank(a));
  const version = textOf(card['protocolVersion']);
  // The oldest cards know no version of the protocol and no other binding.
  if (version === '') return interfaceOf(card['url'], 'JSONRPC', '0.2', null);
  const dialect = dialectOf(version);
  const first = interfaceOf(card['url'], card['preferredTransport'] ?? 'JSONRPC', dialect, null);
  const others = listOf(card['additionalInterfaces']);
  const more = others.flatMap(({ url, transport }) => interfaceOf(url, transport, dialect, null));
  return [...first, ...more].toSorted((a, b) => rank(b) - rank(a));
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** The ways to call the agent of an address that its card may name. */
export function usableInterfaces(card: Json, registered: string, { is_hosts }: CardPlace): CardInterface[] {
  const all = interfacesOf(card);
  if (is_hosts) return all.filter(({ url }) => withoutSlash(url) === withoutSlash(registered));
  return all.filter(({ url }) => areKin(url, registered));
}

// What a signature is made over (protocols.md 4, Signing): the card without its signatures and without what has its default
// value. Signers differ in how much they leave out, so each reading of it is tried; all say the same to a reader.

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Without what is empty, inside first; `canonicalJson` has seen before that it does not nest too deep. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned).filter((each) => !isEmpty(each));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([name, each]) => [name, cleaned(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmpty(each)));
}

/** The texts over which a signature of the card may have been made; none where it has no canonical form. */
export function signedTexts(card: Json): string[] {
  const { signatures: _signatures, ...unsigned } = card;
  const plain = canonicalJson(unsigned);
  const payload = cardPayload(unsigned);
  if (plain === null || payload === null) return [];
  const texts = [plain, canonicalJson(cleaned(unsigned)), payload, canonicalJson(cleaned(JSON.parse(payload)))];
  return [...new Set(texts.filter((text) => text !== null))];
}
