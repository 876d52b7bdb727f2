// Names and links by which a person is reached at a messenger or on a network: the network's word, beside it what calls a
// name an account, and a name that is no word.
import { endsSentence, type Finding, findingOf, hasMeaning, isNear, SURE } from './finding.ts';
import {
  ACCOUNT_NAME,
  CHAT,
  CHAT_VAGUE,
  CONTACT,
  COUNTED,
  DOT,
  JOIN,
  MAIL,
  MAIL_CUE,
  MAIL_VAGUE,
  PAY,
  PHONE,
  SLASH,
  TOP,
} from './lexicon.ts';
import type { Sign } from './reading.ts';
import { words } from './tokens.ts';
import { CONTACT_HOSTS } from './vocabulary/chat-words.ts';

interface Name {
  readonly at: number;
  readonly end: number;
  /** 2: marked by @ or #1234; 1: no word, for digits, dots or underscores in it; 0: a plain word. */
  readonly oddity: 0 | 1 | 2;
}

const LATIN = /^[a-z]+$/;
const NAME_MIN = 3;
const NAME_MAX = 32;
/** Words behind a network's name that say what is made for it. */
const TRADE = words(
  `bot bots api apis ads ad integration integrations business marketing channel channels group groups community automation reels posts stickers
  mini program programs miniprogram manager management growth followers likes campaign campaigns content moderation moderator server servers design app apps
  account accounts page pages profile profiles photos video videos story stories mentions threads post`,
);

/** Words between a network and somebody's name there. */
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
    if (next.kind === 'at') break;
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
/** Services whose names are words of many sentences. */
const ORDINARY = words(
  'email mail web me mac ok free live orange terra hey list google ig mailbox inbox bk wp bol upi paytm paypal naver почта мейл mail',
);

/** Whether a name ends what is said: no other word follows it at once. */
function closesSentence(signs: readonly Sign[], end: number): boolean {
  const after = signs[end];
  return after?.gap !== ' ' || endsSentence(signs, end) || after.kind === 'dot' || hasMeaning(after, CONTACT);
}

/** What the best name behind a network's word proves. */
function accountBehind(signs: readonly Sign[], at: number): number {
  let best = 0;
  // "my telegram".
  const owned = hasMeaning(signs[at - 1], ACCOUNT_NAME) || hasMeaning(signs[at - 2], ACCOUNT_NAME) ? 0.8 : 0;
  let told = owned + (hasMeaning(signs[at], ACCOUNT_NAME) && (signs[at]?.text.includes(' ') ?? false) ? 1.5 : 0);
  for (let by = 1; by <= NEAR_NAME; by++) {
    const sign = signs[at + by];
    if (!sign || (by > 1 && endsSentence(signs, at + by) && sign.field !== signs[at]?.field && told === 0)) break;
    if (/[.!?;。]/.test(sign.gap)) break;
    if (ARROW.test(sign.gap)) told = Math.max(told, 1.5) + owned;
    if (hasMeaning(sign, COUNTED) || TRADE.has(sign.text)) {
      if (by <= 2 && TRADE.has(sign.text) && !hasMeaning(sign, ACCOUNT_NAME)) break;
    }
    const name =
      sign.kind === 'at' || !hasMeaning(sign, ACCOUNT_NAME) || signs[at + by + 1]?.gap === '_'
        ? nameAt(signs, at + by)
        : null;
    if (name && !TRADE.has(sign.text)) {
      const plain = name.oddity === 0;
      const unit = hasMeaning(signs[name.end], COUNTED) && signs[name.end]?.gap === ' ';
      if (
        !unit &&
        (!plain || (told >= 1.5 && by <= 4 && sign.text.length > 3 && !sign.capital && closesSentence(signs, name.end)))
      )
        best = Math.max(best, [0.7, 1.5, 2][name.oddity] ?? 0);
      if (best > 0) return best + Math.min(2, told) + (by <= 2 ? 0.5 : 0);
    }
    if (hasMeaning(sign, ACCOUNT_NAME)) told += 1.5;
    else if (COPULAS.has(sign.text)) told = Math.max(told, owned + 1);
    if (
      sign.kind === 'word' &&
      !hasMeaning(sign, ACCOUNT_NAME | CONTACT | PHONE | CHAT | CHAT_VAGUE) &&
      by > 3 &&
      told === 0
    )
      break;
  }
  return best;
}

/** What a name before a network's word proves: "the_oldglass on Twitter", "annak88 (telegram)". */
function accountBefore(signs: readonly Sign[], at: number): number {
  for (let by = 2; by <= 6; by++) {
    const from = at - by;
    const sign = signs[from];
    if (!sign || endsSentence(signs, from + 1)) return 0;
    if (sign.gap === '' || sign.gap === '_' || hasMeaning(sign, CHAT | MAIL | MAIL_VAGUE)) continue;
    const name = nameAt(signs, from);
    if (name && name.oddity > 0 && name.end <= at && at - name.end <= 3 && sign.kind !== 'number') {
      return 1.5 + name.oddity * 0.5 + (isNear(signs, from, 3, by, ACCOUNT_NAME) ? 1 : 0);
    }
  }
  return 0;
}

function accountAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  // The end of a mark, such as "6c9a9b32fb", and no network.
  if (sign?.gap === '' && sign.text.length <= 2 && signs[at - 1]?.kind === 'number') return 0;
  const vague = hasMeaning(sign, CHAT_VAGUE);
  const behind = accountBehind(signs, at);
  const before = accountBefore(signs, at);
  const best = Math.max(behind, before);
  if (best === 0) return 0;
  const asks = isNear(signs, at, 6, 8, CONTACT) ? 1 : 0;
  const named =
    isNear(signs, at, 2, 3, ACCOUNT_NAME) || /[@:]/.test(signs[at + 1]?.gap ?? '') || signs[at + 1]?.kind === 'at';
  if (vague && !named) return 0;
  return best + asks + (vague ? 0 : 1.3);
}

/** A mail service with a name that is called an account: "my gmail is harriet.doyle88". */
function serviceAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  const best = Math.max(accountBehind(signs, at), accountBefore(signs, at));
  if (best === 0) return 0;
  const asks = isNear(signs, at, 7, 9, CONTACT | MAIL_CUE) ? 1 : 0;
  return best + asks + (hasMeaning(sign, MAIL) ? 1.3 : 0);
}

/** Money sent by name: "venmo @pawsy-portraits". */
function paymentAt(signs: readonly Sign[], at: number): number {
  const best = accountBehind(signs, at);
  return best === 0 ? 0 : best + 1.5;
}

const HOSTS = new Map<string, readonly string[]>(CONTACT_HOSTS.split(' ').map((host) => [host, host.split(/[./]/)]));
const FIRSTS = new Map<string, string[]>();
for (const [host, [first = '']] of HOSTS) FIRSTS.set(first, [...(FIRSTS.get(first) ?? []), host]);

/** A link that only leads to somebody, with its signs as they are or spelled out. */
function linkAt(signs: readonly Sign[], at: number): number {
  for (const host of FIRSTS.get(signs[at]?.text ?? '') ?? []) {
    const labels = HOSTS.get(host) ?? [];
    let next = at;
    let hidden = false;
    for (const [n, label] of labels.entries()) {
      if (n > 0) {
        const sign = signs[next];
        if (sign?.kind === 'dot' || hasMeaning(sign, DOT | SLASH | JOIN)) next += 1;
        hidden ||= sign?.kind !== 'dot' && !(sign?.gap ?? '').includes('/');
        hidden ||= (signs[next]?.gap ?? '') !== '' && !(signs[next]?.gap ?? '').includes('/');
      }
      if (signs[next]?.text !== label || signs[next]?.field !== signs[at]?.field) {
        next = -1;
        break;
      }
      next += 1;
    }
    if (next < 0) continue;
    const path = /\//.test(signs[next]?.gap ?? '') || hasMeaning(signs[next], SLASH);
    if (path) return SURE;
    if (!hidden && labels.length > 2) return SURE;
  }
  return 0;
}

/** Every account at a messenger and every contact link that the signs tell. */
export function accountsIn(signs: readonly Sign[]): Finding[] {
  const found: Finding[] = [];
  for (const [at, sign] of signs.entries()) {
    if (FIRSTS.has(sign.text) && signs[at - 1]?.kind !== 'at')
      found.push(...findingOf('contact', linkAt(signs, at), at, at + 1));
    if (sign.is === 0) continue;
    const named = hasMeaning(signs[at + 1], TOP) || signs[at + 1]?.kind === 'dot';
    if (named && signs[at + 1]?.gap === '' && signs[at + 2]?.gap === '') {
      const path = signs[at + 3]?.gap === '/' && hasMeaning(sign, CHAT) && isNear(signs, at, 4, 9, CONTACT);
      if (path) found.push(...findingOf('contact', 3, at, at + 3));
      continue;
    }
    // "AMS-QQ-P-416" is a standard.
    if (sign.gap === '-' && signs[at + 1]?.gap === '-') continue;
    if (hasMeaning(sign, CHAT | CHAT_VAGUE)) found.push(...findingOf('contact', accountAt(signs, at), at, at + 2));
    if (hasMeaning(sign, MAIL | MAIL_VAGUE) && !ORDINARY.has(sign.text))
      found.push(...findingOf('email', serviceAt(signs, at), at, at + 2));
    if (hasMeaning(sign, PAY)) found.push(...findingOf('credential', paymentAt(signs, at), at, at + 2));
  }
  return found;
}
