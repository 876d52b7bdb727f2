// Handles that reach a person: a handle is shown wherever its agent is, so a number, an address or a messenger's name with
// an account in it tells as much as a listing would.

import { type Disclosure, hasMeaning } from './finding.ts';
import {
  AT,
  AT_VAGUE,
  CHAT,
  CHAT_VAGUE,
  CONTACT,
  MAIL,
  MAIL_CUE,
  MAIL_VAGUE,
  meaningOf,
  OTHERWISE,
  PHONE,
  TOP,
  TOPIC,
} from './lexicon.ts';
import { withoutMarks } from './marks.ts';
import { numeralRuns, type Run } from './numeral-runs.ts';
import { joinPhrases } from './phrases.ts';
import { makeReadable, type Sign, signsOf } from './reading.ts';
import { joinDrawn, splitCompounds } from './spelled.ts';
import { words } from './tokens.ts';

/** Digits of a number that is called one, and of one that is not. */
const CALLED_MIN = 7;
const BARE_MIN = 10;
/** What is made or done with a messenger, or who does it: no account. */
const TRADES = words(
  `bot bots art arts artist lab labs club dance dancer processing repair repairs center centre centers coach coaching expert experts agency agent agents app apps
  dev devs developer developers marketing ads ad api pro pros help helper support service services team studio group groups guru master masters ninja official news shop
  store media digital design designs designer manager management builder builders maker makers consulting consultant academy school tips tools channel mods mod moderator admin
  video videos photo photos creator creators growth seo web automation integration integrations writer editor editors specialist freelancer solutions tech line lines theory`,
);

/** A word that begins with what calls a number, as "tel4155550123" does. */
const CALLS = /^(?:call|tel|text|txt|ph|phone|ring|ruf|wa|whatsapp|sms|mob|cell|dial|nr|num)$/;

/** Whether digits are part of a mark of digits and letters, such as "9b36975023" or "017063146c", as programs give them. */
function isMark(signs: readonly Sign[], { from, end, groups }: Run): boolean {
  const before = signs[from - 1];
  const led = before?.text.length === 1 && signs[from]?.gap === '';
  return led || signs[end]?.gap === '' || groups.some(({ looks }) => looks);
}

function dialsPhone(signs: readonly Sign[]): boolean {
  const cue = signs.some((sign) => hasMeaning(sign, PHONE | CONTACT) || CALLS.test(sign.text));
  if (signs.some((sign) => hasMeaning(sign, OTHERWISE) && sign.kind === 'word' && !hasMeaning(sign, PHONE)))
    return false;
  for (const run of numeralRuns(signs)) {
    const groups = run.groups.filter((group) => !group.weak);
    const size = groups.reduce((sum, group) => sum + group.digits.length, 0);
    const years = groups.every((group) => /^(?:19|20)\d\d$/.test(group.digits));
    if (years) continue;
    if (cue && size >= CALLED_MIN) return true;
    if (isMark(signs, run)) continue;
    // Ten digits alone may be anything; set in groups, as people write them, they are a number.
    if (size >= BARE_MIN && groups.length > 1) return true;
  }
  return false;
}

function namesMailbox(signs: readonly Sign[], handle: string): boolean {
  const service = signs.findIndex((sign) => hasMeaning(sign, MAIL));
  const glued =
    /^[a-z0-9_]{2,}(?:at|_at_)?(?:gmail|hotmail|googlemail|protonmail|icloud|yahoo|outlook)_?(?:dot)?_?com$/.test(
      handle,
    );
  if (glued && !/^(?:my|the)_?/.test(handle)) return true;
  if (service >= 0) {
    if (hasMeaning(signs[service + 1], TOP) && service > 0) return true;
    if (
      signs.some(
        (sign, at) => at !== service && hasMeaning(sign, AT | AT_VAGUE | MAIL_CUE | CONTACT) && sign.text.length > 1,
      )
    )
      return true;
  }
  const vague = signs.findIndex((sign) => hasMeaning(sign, MAIL_VAGUE));
  if (vague > 0 && hasMeaning(signs[vague + 1], TOP) && vague + 2 === signs.length) return true;
  const at = signs.findIndex((sign) => hasMeaning(sign, AT | AT_VAGUE));
  const dot = signs.findIndex((sign) => /^(?:dot|punkt|punto|ponto|kropka|tochka|nokta|point)$/.test(sign.text));
  return at > 0 && dot > at + 1 && dot + 1 < signs.length && hasMeaning(signs[dot + 1], TOP) && dot + 3 >= signs.length;
}

function namesAccount(signs: readonly Sign[]): boolean {
  const [first, ...rest] = signs;
  const names = rest.filter((sign) => sign.kind === 'word' && !TRADES.has(sign.text) && sign.text.length > 1);
  const numbers = rest.filter((sign) => sign.kind === 'number');
  const reached = signs.some((sign) => hasMeaning(sign, CONTACT) || /^(?:on|at|em|auf|sur|su|na|me)$/.test(sign.text));
  const named = signs.some(
    (sign) => sign.is === 0 && sign.kind === 'word' && sign.text.length > 2 && !TRADES.has(sign.text),
  );
  const trades = signs.some((sign) => TRADES.has(sign.text));
  if (reached && named && !trades && signs.some((sign) => hasMeaning(sign, CHAT) && !hasMeaning(sign, CHAT_VAGUE)))
    return true;
  if (!first || rest.some((sign) => TRADES.has(sign.text) || hasMeaning(sign, TOPIC))) return false;
  if (!hasMeaning(first, CHAT) || hasMeaning(first, CHAT_VAGUE)) {
    const told =
      hasMeaning(first, CHAT_VAGUE) && rest.some((sign) => /^(?:id|user|username|nick|handle)$/.test(sign.text));
    return told && names.length > 1;
  }
  const told = names.filter((sign) => sign.is === 0 || meaningOf(sign.text).digits !== null);
  return told.length > 0 || (numbers.length > 0 && names.length > 0);
}

/** The kinds of private data that a handle tells, as far as that is sure. */
export function disclosuresInHandle(handle: string): Disclosure[] {
  const signs = joinPhrases(splitCompounds(joinDrawn(signsOf([withoutMarks(makeReadable(handle))]))), 0);
  const kinds: Disclosure[] = [];
  if (namesMailbox(signs, handle)) kinds.push('email');
  if (dialsPhone(signs)) kinds.push('phone');
  if (namesAccount(signs)) kinds.push('contact');
  return kinds;
}
