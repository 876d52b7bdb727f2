// Normalises words for the search of documentation and tools: without stop words, as stems, and with synonyms replaced by the documentation's own
// word. Each word is read alone or with the next, so the cost is linear in the text.
import { once } from '../once.ts';
import { hyphenate } from './fold.ts';
import { stem } from './stem.ts';

/** Stop words. */
const STOP: ReadonlySet<string> = new Set(
  (
    'a about actually again all already also always am among an and any anybody anyone anything are arent around as ask at ' +
    'automatically basically be because been being but by can cant configure configuring could couldnt currently d did didnt do does ' +
    'doesnt doing done dont down each else even ever everybody everyone everything exactly few fewer find for from get gets getting ' +
    'give given got had happen happens has hasnt have havent he hello help her here hers hey hi him his how hows i id if im in instead ' +
    'into is isnt it its ive just know less let lets like ll long look m make many may maybe me mean meaning means meshwork mine more ' +
    'much must my myself need needed needs no not now of off often ok okay on one ones only or our ours out permanently please pls ' +
    'possible put question quite rather re really s see seen service shall she should shouldnt show shown simply so some somebody ' +
    'somehow someone something somewhere still submit such t take tell than thank thanks that thats the their them then there theres ' +
    'these they theyre thing things this those to too up us use used using ve very via view wanna want wanted wants was wasnt way we ' +
    'were what whats when where wheres whether which while who whom whos whose why will wish with within without wont work works would ' +
    'wouldnt yes yet you your youre yours'
  ).split(' '),
);

/** Phrasal verbs and other phrases that count as one word. */
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
    decline: ['turn down', 'say no'],
    restore: ['bring back', 'take back'],
    cancel: ['call off', 'called off', 'back out', 'pull out'],
    refund: ['money back', 'pay back', 'paid back', 'give back'],
    delete: ['get rid', 'throw away'],
    deliver: ['hand in', 'hand over', 'handed in', 'handed over'],
    expire: ['run out', 'runs out', 'ran out', 'running out'],
    revoke: ['kick out', 'lock out'],
    unsubscribe: ['opt out'],
    counterparty: ['other side', 'other party'],
    rehearse: ['dry run', 'try out'],
    admin: ['support team', 'your team'],
  }).flatMap(([one, said]) => said.map((two) => [two, one] as const)),
);

/** Synonyms; the first is the indexed word. Only words that are equal in any question about this service are listed; other search words
 * of a section are its keywords. */
const SAME: readonly (readonly string[])[] = [
  ['person', 'human', 'people'],
  ['seller', 'freelancer', 'contractor', 'vendor', 'supplier', 'merchant', 'trader'],
  ['buyer', 'customer', 'client'],
  ['admin', 'administrator', 'moderator', 'staff'],
  ['agent', 'bot'],
  ['listing', 'ad', 'advert', 'advertisement'],
  ['quote', 'bid', 'tender', 'rfq', 'estimate'],
  ['match', 'suggest', 'suggestion', 'recommend', 'recommendation', 'pair'],
  ['conversation', 'chat', 'thread'],
  ['deal', 'contract', 'agreement'],
  ['dispute', 'complain', 'complaint', 'disagree', 'quarrel', 'argue'],
  ['negotiate', 'haggle', 'bargain'],
  ['limit', 'bound', 'cap', 'max', 'maximum', 'ceiling'],
  ['review', 'rating', 'star'],
  ['month', 'monthly', 'recurring', 'periodic'],
  ['plan', 'tier'],
  ['pro', 'premium'],
  ['company', 'business', 'firm', 'organisation', 'organization'],
  ['website', 'site', 'homepage', 'webpage'],
  ['picture', 'photo', 'avatar'],
  ['program', 'app', 'application', 'software'],
  ['server', 'machine', 'computer'],
  ['webhook', 'callback', 'hook'],
  ['receipt', 'invoice'],
  ['earn', 'income', 'revenue', 'profit'],
  ['analytics', 'statistic', 'stats'],
  ['block', 'ban', 'mute'],
  ['unblock', 'unban', 'unmute'],
  ['fraud', 'scam', 'scammer', 'cheat'],
  ['rehearse', 'practise', 'practice', 'simulate'],
  ['knowledge', 'fact'],
  ['save', 'bookmark'],
  ['crash', 'outage'],
  ['decline', 'dismiss'],
  ['change', 'edit', 'modify', 'alter', 'adjust'],
  ['twice', 'double', 'duplicate'],
  ['begin', 'start', 'commence', 'launch'],
  ['answer', 'reply', 'respond', 'response'],
  ['decide', 'determine', 'judge', 'arbitrate'],
  ['settlement', 'settle', 'compromise'],
  ['instalment', 'milestone'],
  ['meeting', 'appointment'],
  ['finish', 'complete'],
  ['revoke', 'annul'],
  ['talk', 'speak', 'spoke'],
  ['store', 'shop'],
  ['developer', 'programmer', 'coder'],
  ['bug', 'glitch', 'defect'],
  ['place', 'location'],
  ['own', 'ownership', 'belong'],
  ['choose', 'select', 'pick'],
  ['browse', 'explore'],
  ['postgresql', 'postgres'],
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
  ['deliver', 'arrive', 'delivery', 'ship', 'shipment'],
  ['repeat', 'retry', 'resend', 'replay'],
  ['hide', 'hidden', 'invisible', 'conceal'],
  ['allow', 'permit'],
  ['question', 'ask'],
  ['notify', 'notification', 'tell', 'told', 'alert'],
  ['prove', 'proof', 'verify', 'verification'],
];

/** The longest meaningful word. */
const WORD_MAX = 32;

/** The form for comparing a word, so that "pausing" matches "pause", and "verification" "verify". */
function formOf(word: string): string {
  const found = stem(word.slice(0, WORD_MAX));
  return found.length > 4 && found.endsWith('i') ? found.slice(0, -1) : found;
}

/** The same with a cache, for a whole library. */
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

const meant = once(
  () =>
    new Map(SAME.flatMap(([first = '', ...others]) => others.map((other) => [formOf(other), formOf(first)] as const))),
);

/** The words of a text in their form for comparison, in order. */
export function plainWords(text: string): string[] {
  return hyphenate(text)
    .split('-')
    .filter((word) => word !== '');
}

/** Whether a word is a stop word. */
export const saysNothing = (word: string): boolean => STOP.has(word);

export function termsOfWords(words: readonly string[], form: (word: string) => string = formOf): string[] {
  const terms: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const joined = JOINED.get(`${word} ${words[at + 1]}`);
    if (joined !== undefined) at += 1;
    if (STOP.has(joined ?? word)) continue;
    const term = form(joined ?? word);
    terms.push(meant().get(term) ?? term);
  }
  return terms;
}

export function termsOf(text: string, form?: (word: string) => string): string[] {
  return termsOfWords(plainWords(text), form);
}
