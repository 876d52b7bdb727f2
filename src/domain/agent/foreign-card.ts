// The card of an outside agent, as its own server shows it: its dialect, its addresses, and the texts over which its
// signatures may have been made (protocols.md 4). A card is not trusted: it cannot direct calls to another party's host,
// and is valid for an address only where it stands beneath it or names it.

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
  /** The tenant in the body, where several agents share the address. */
  readonly tenant: string | null;
}

/** A card's address, and whether the registered address lies under it. */
export interface CardPlace {
  readonly url: string;
  /** The host's own card, which is valid for the address only if it names it. */
  readonly is_hosts: boolean;
}

/** More interfaces than any card needs; each causes a lookup. */
const INTERFACES_MAX = 16;
/** More signatures than any card needs; each may cause a request for keys. */
export const SIGNATURES_MAX = 4;
/** The newer file first. */
const FILES = ['agent-card.json', 'agent.json'] as const;

/** Possible addresses of an agent's card, the likeliest first. */
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

/** Whether two addresses belong to one party: the same host, or hosts of one registrable domain. */
export function areKin(a: string, b: string): boolean {
  const [left, right] = [URL.parse(a)?.hostname, URL.parse(b)?.hostname];
  if (!left || !right) return false;
  const domain = getDomain(left, { allowPrivateDomains: true });
  return left === right || (domain !== null && domain === getDomain(right, { allowPrivateDomains: true }));
}

/** Whether two addresses have the same origin; keys of a card must be there. */
export function isAtHostOf(url: string, of: string): boolean {
  const [left, right] = [URL.parse(url), URL.parse(of)];
  return left !== null && right !== null && left.origin === right.origin;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function bindingOf(name: string): Binding | null {
  return name === 'JSONRPC' || name === 'HTTP+JSON' ? name : null;
}

/** The protocol versions that share the method name `message/send` are one dialect. */
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

/** Newer dialects before older ones, and JSON-RPC first in each. */
function rank({ dialect, binding }: CardInterface): number {
  return DIALECTS.indexOf(dialect) * 2 + (binding === 'JSONRPC' ? 1 : 0);
}

/** The interfaces of a card, the best first. */
export function interfacesOf(card: Json): CardInterface[] {
  const named = listOf(card['supportedInterfaces']).flatMap(({ url, protocolBinding, protocolVersion, tenant }) =>
    interfaceOf(url, protocolBinding, dialectOf(textOf(protocolVersion)), tenant),
  );
  if (named.length > 0) return named.toSorted((a, b) => rank(b) - rank(a));
  const version = textOf(card['protocolVersion']);
  // The oldest cards have no protocol version and no other binding.
  if (version === '') return interfaceOf(card['url'], 'JSONRPC', '0.2', null);
  const dialect = dialectOf(version);
  const first = interfaceOf(card['url'], card['preferredTransport'] ?? 'JSONRPC', dialect, null);
  const others = listOf(card['additionalInterfaces']);
  const more = others.flatMap(({ url, transport }) => interfaceOf(url, transport, dialect, null));
  return [...first, ...more].toSorted((a, b) => rank(b) - rank(a));
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** The interfaces that a card may name for the agent of an address. */
export function usableInterfaces(card: Json, registered: string, { is_hosts }: CardPlace): CardInterface[] {
  const all = interfacesOf(card);
  if (is_hosts) return all.filter(({ url }) => withoutSlash(url) === withoutSlash(registered));
  return all.filter(({ url }) => areKin(url, registered));
}

// The signed text of a card (protocols.md 4, Signing): the card without its signatures and without default values. Signers
// differ in how much they leave out, so each variant is tried; all mean the same.

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Removes empty members, innermost first; `canonicalJson` has checked the depth before. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned).filter((each) => !isEmpty(each));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([name, each]) => [name, cleaned(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmpty(each)));
}

/** The texts over which a signature of the card may have been made; empty where it has no canonical form. */
export function signedTexts(card: Json): string[] {
  const { signatures: _signatures, ...unsigned } = card;
  const plain = canonicalJson(unsigned);
  const payload = cardPayload(unsigned);
  if (plain === null || payload === null) return [];
  const texts = [plain, canonicalJson(cleaned(unsigned)), payload, canonicalJson(cleaned(JSON.parse(payload)))];
  return [...new Set(texts.filter((text) => text !== null))];
}
