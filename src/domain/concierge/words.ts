// The words of a text in the form in which the documentation is searched: without those that say nothing, in their stems, and where
// English has several for one thing, in that of the documentation. Each word is looked at alone or with the next, so no text costs more
// than its length.
import { hyphenate } from '../text/fold.ts';
import { stem } from '../text/stem.ts';

/** What every question has. */
const STOP: ReadonlySet<string> = new Set(
  (
    'a about actually again all also am an and any anybody anything are as ask at automatically basically be because been being but by ' +
    'can configure configuring could currently d did do does doing done down ever exactly few fewer find for from get gets getting give ' +
    'given got had happen happens has have he hello help her here hi him his how i if in instead into is it its just know less let like ' +
    'll long look m make many may maybe me mean meaning means meshwork mine more much must my myself need no not now of off on one ones ' +
    'or our out permanently please possible put question re really s see seen service she should show shown simply so some somebody ' +
    'someone something submit such t take tell than thank thanks that the their them then there these they thing things this those to too ' +
    'up us use used using ve very via view want was way we were what when where whether which while who why will wish with within without ' +
    'work works would yes you your yours'
  ).split(' '),
);

/** Verbs of two words, and what else is one word to whoever asks. */
const JOINED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    login: ['log in', 'logged in', 'logging in', 'sign in', 'signed in', 'signing in', 'signs in'],
    logout: ['log out', 'sign out', 'logged out'],
    signup: ['sign up', 'signing up', 'signed up'],
    email: ['e mail'],
    backup: ['back up'],
    configure: ['set up', 'setting up'],
    fund: ['top up'],
    withdraw: ['cash out', 'paid out', 'pay out'],
    seek: ['looking for', 'look for'],
    disable: ['turn off', 'turned off', 'turns off', 'switch off', 'switched off', 'switches off'],
    enable: ['turn on', 'turned on', 'turns on', 'switch on', 'switched on', 'switches on'],
    timeout: ['time out'],
    decline: ['turn down'],
  }).flatMap(([one, said]) => said.map((two) => [two, one] as const)),
);

/** Words for one thing; the first is that by which it is found. Only what means the same in any question about this service stands here;
 * what else a section is asked for stands with that section, as its keywords. */
const SAME: readonly (readonly string[])[] = [
  ['person', 'human', 'people'],
  ['seller', 'freelancer', 'contractor', 'vendor', 'supplier'],
  ['buyer', 'customer', 'client'],
  ['admin', 'administrator'],
  ['bot', 'assistant'],
  ['handle', 'username', 'nickname'],
  ['profile', 'bio'],
  ['email', 'mail', 'letter'],
  ['money', 'fund', 'cash', 'deposit'],
  ['cost', 'price', 'pricing'],
  ['fee', 'commission', 'charge'],
  ['permission', 'right', 'scope'],
  ['trust', 'reputation'],
  ['sdk', 'library'],
  ['db', 'database'],
  ['backup', 'copy', 'copies'],
  ['kind', 'type', 'category'],
  ['withdraw', 'payout', 'cashout'],
  ['pay', 'paid', 'payment'],
  ['buy', 'bought', 'purchase'],
  ['send', 'sent', 'transfer'],
  ['write', 'wrote', 'written'],
  ['pause', 'suspend', 'temporarily', 'stop'],
  ['delete', 'erase', 'remove', 'removal', 'wipe'],
  ['refuse', 'reject', 'deny', 'forbid', 'forbidden'],
  ['approve', 'approval', 'yes'],
  ['steal', 'stole', 'stolen', 'leak', 'compromised', 'expose', 'hacked'],
  ['download', 'export'],
  ['rotate', 'renew'],
  ['publish', 'post', 'create'],
  ['seek', 'search'],
  ['subscribe', 'subscription'],
  ['deliver', 'arrive', 'delivery'],
  ['repeat', 'retry', 'resend', 'replay'],
  ['hide', 'hidden', 'invisible'],
  ['allow', 'permit'],
  ['question', 'ask'],
  ['notify', 'notification', 'tell', 'told', 'alert'],
  ['prove', 'proof', 'verify', 'verification'],
];

/** No word that means something is longer. */
const WORD_MAX = 32;

/** What a word is compared by, so that "pausing" meets "pause", and "verification" "verify". */
function formOf(word: string): string {
  const found = stem(word.slice(0, WORD_MAX));
  return found.length > 4 && found.endsWith('i') ? found.slice(0, -1) : found;
}

/** The same for a whole library, which says most words often. */
export function rememberingForm(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const form = formOf(word);
    known.set(word, form);
    return form;
  };
}

const MEANT: ReadonlyMap<string, string> = new Map(
  SAME.flatMap(([first = '', ...others]) => others.map((other) => [formOf(other), formOf(first)] as const)),
);

/** The words of a text in the form in which they are compared, in their order. */
export function plainWords(text: string): string[] {
  return hyphenate(text)
    .split('-')
    .filter((word) => word !== '');
}

/** What a text says, for searching. */
export function termsOf(text: string, form: (word: string) => string = formOf): string[] {
  const words = plainWords(text);
  const terms: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const joined = JOINED.get(`${word} ${words[at + 1]}`);
    if (joined !== undefined) at += 1;
    if (STOP.has(joined ?? word)) continue;
    const term = form(joined ?? word);
    terms.push(MEANT.get(term) ?? term);
  }
  return terms;
}
