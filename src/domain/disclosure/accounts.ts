// Detects names and links by which a person is reached on a messenger or social network: the network's name, a word that
// introduces an account, and a name that is no ordinary word.
import { endsSentence, type Finding, findingOf, hasMeaning, isNear, words } from './finding.ts';
import { ACCOUNT_NAME, CHAT, CHAT_VAGUE, CONTACT, COUNTED, MAIL, MAIL_CUE, MAIL_VAGUE, PHONE } from './lexicon.ts';
import type { Sign } from './reading.ts';
import { CONTACT_HOSTS } from './vocabulary/chat-words.ts';

interface Name {
  readonly at: number;
  readonly end: number;
  /** 2: marked by @ or #1234; 1: no word, because it has digits, dots or underscores; 0: a plain word. */
  readonly oddity: 0 | 1 | 2;
}

const LATIN = /^[a-z]+$/;
const NAME_MIN = 3;
const NAME_MAX = 32;
/** Words after a network's name that name a product for it. */
const TRADE = words(
  `bot bots api apis ads ad integration integrations business marketing channel channels group groups community automation reels posts stickers
  mini program programs miniprogram manager management growth followers likes campaign campaigns content moderation moderator server servers design app apps
  account accounts page pages profile profiles photos video videos story stories mentions threads post`,
);

/** Words between a network and a person's name there. */
const COPULAS = words('is are at on in by es e est ist sono to on это è é jest är heißt lautet via per por pod pe ass');

/** The name at a place: letters, digits, dots and underscores without a space. */
function nameAt(signs: readonly Sign[], at: number): Name | null {
  const marked = signs[at]?.kind === 'at' || /[@$]$/.test(signs[at]?.gap ?? '');
  const from = signs[at]?.kind === 'at' ? at + 1 : at;
  const first = signs[from];
  if (!first || (first.kind !== 'word' && first.kind !== 'number')) return null;
  if ((signs[at]?.kind === 'at' && first.gap !== '') || first.gap === '-') return null;
  let end = from + 1;
  let size = first.text.length;
  let odd = first.kind === 'number' ? 1 : 0;
  for (; end < signs.length && size <= NAME_MAX; end++) {
    const next = signs[end];
    if (!next || next.field !== first.field || next.gap.length > 1 || !/^[_#:-]?$/.test(next.gap)) break;
    if (next.kind === 'at' || (next.kind === 'word' && !LATIN.test(next.text))) break;
    if (next.kind === 'dot' && (signs[end + 1]?.gap !== '' || signs[end + 1]?.field !== first.field)) break;
    if (next.kind === 'number' || next.kind === 'dot' || next.gap === '_' || next.gap === '#') odd += 1;
    size += next.text.length + next.gap.length;
  }
  if (size < NAME_MIN || (first.kind === 'number' && end === from + 1 && first.text.length < 6)) return null;
  const script = LATIN.test(first.text) || first.kind === 'number' || first.gap.endsWith('_');
  if (!script) return null;
  return { at: from, end, oddity: marked ? 2 : odd > 0 || first.drawn ? 1 : 0 };
}

const NEAR_NAME = 7;
const ARROW = /[:=→➜>"“«「]|->/;
/** Services whose names are also common words. */
const ORDINARY = words(
  'email mail web me mac ok free live orange terra hey list google ig mailbox inbox bk wp bol upi paytm paypal naver почта мейл',
);

/** Whether a name ends a sentence: no other word follows directly. */
function closesSentence(signs: readonly Sign[], end: number): boolean {
  const after = signs[end];
  return after?.gap !== ' ' || endsSentence(signs, end) || after.kind === 'dot' || hasMeaning(after, CONTACT);
}

/** The evidence of the best name after a service's name. */
function nameBehind(signs: readonly Sign[], at: number): number {
  // "my telegram".
  const owned = hasMeaning(signs[at - 1], ACCOUNT_NAME) || hasMeaning(signs[at - 2], ACCOUNT_NAME) ? 0.8 : 0;
  let told = owned + (hasMeaning(signs[at], ACCOUNT_NAME) && (signs[at]?.text.includes(' ') ?? false) ? 1.5 : 0);
  for (let by = 1; by <= NEAR_NAME; by++) {
    const sign = signs[at + by];
    if (!sign || /[.!?;。]/.test(sign.gap) || (by <= 4 && TRADE.has(sign.text) && !hasMeaning(sign, ACCOUNT_NAME)))
      return 0;
    if (ARROW.test(sign.gap)) told = Math.max(told, 1.5) + owned;
    const named = sign.kind === 'at' || !hasMeaning(sign, ACCOUNT_NAME) || signs[at + by + 1]?.gap === '_';
    const name = named && !TRADE.has(sign.text) ? nameAt(signs, at + by) : null;
    const counted = name && hasMeaning(signs[name.end], COUNTED) && signs[name.end]?.gap === ' ';
    if (name && !counted) {
      const plain = told >= 1.5 && by <= 4 && sign.text.length > 3 && !sign.capital && closesSentence(signs, name.end);
      const worth = name.oddity > 0 || plain ? ([0.7, 1.5, 2][name.oddity] ?? 0) : 0;
      if (worth > 0) return worth + Math.min(2, told) + (by <= 2 ? 0.5 : 0);
    }
    if (hasMeaning(sign, ACCOUNT_NAME)) told += 1.5;
    else if (COPULAS.has(sign.text)) told = Math.max(told, owned + 1);
    else if (by > 3 && told === 0 && sign.kind === 'word' && !hasMeaning(sign, CONTACT | PHONE | CHAT)) return 0;
  }
  return 0;
}

/** The findings of names beside a messenger's or a mail service's name. */
function accountAt(signs: readonly Sign[], at: number): Finding[] {
  const [sign, next] = [signs[at], signs[at + 1]];
  // The end of an identifier, such as "6c9a9b32fb", is no network.
  if (!sign || (sign.gap === '' && sign.text.length <= 2 && signs[at - 1]?.kind === 'number')) return [];
  const best = nameBehind(signs, at);
  if (best === 0) return [];
  const asked = best + (isNear(signs, at, 6, 8, CONTACT | MAIL_CUE) ? 1 : 0);
  if (hasMeaning(sign, CHAT | CHAT_VAGUE)) {
    const vague = hasMeaning(sign, CHAT_VAGUE);
    const called = isNear(signs, at, 2, 3, ACCOUNT_NAME) || /[@:]/.test(next?.gap ?? '') || next?.kind === 'at';
    return vague && !called ? [] : findingOf('contact', asked + (vague ? 0 : 1.3), at, at + 2);
  }
  if (ORDINARY.has(sign.text) || best < 2.5) return [];
  return findingOf('email', asked + (hasMeaning(sign, MAIL) ? 1.3 : 0), at, at + 2);
}

const DOT_WRITTEN = String.raw`(?:\s?\.\s?|\s?[([]\s?(?:\.|dot)\s?[)\]]\s?|\s(?:dot|punto|ponto|punkt|point|точка)\s)`;
const HOSTS = CONTACT_HOSTS.split(/\s+/).map((host) => host.replaceAll('.', DOT_WRITTEN));
const LINK = new RegExp(
  String.raw`(?<![\p{L}\d@.-])(?:${HOSTS.join('|')})(?:\s?/\s?|\s(?:slash|barra|слэш)\s)[\p{L}\d+@_-]`,
  'iu',
);

/** Whether a text holds a contact link, its dots written or spelled out. */
export const hasContactLink = (text: string): boolean => /[/]|slash|barra|слэш/i.test(text) && LINK.test(text);

/** All accounts at services in the signs. */
export function accountsIn(signs: readonly Sign[]): Finding[] {
  return signs.flatMap((sign, at) => {
    if (!hasMeaning(sign, CHAT | CHAT_VAGUE | MAIL | MAIL_VAGUE)) return [];
    const [next, top] = [signs[at + 1], signs[at + 2]];
    if (next?.kind === 'dot' && next.gap === '' && top?.gap === '') {
      const path = signs[at + 3]?.gap === '/' && hasMeaning(sign, CHAT) && isNear(signs, at, 4, 9, CONTACT);
      return path ? findingOf('contact', 3, at, at + 3) : [];
    }
    // "AMS-QQ-P-416" is a standard.
    return sign.gap === '-' && next?.gap === '-' ? [] : accountAt(signs, at);
  });
}
