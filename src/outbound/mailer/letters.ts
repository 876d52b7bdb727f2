// The service's letters and text messages, composed as plain text and HTML. In plain text a code or link is alone on its line, so that
// people can copy it and programs can find it (rules.md 3). Each letter takes the catalogue of its language.
import { PLANS } from '../../domain/identity/plan.ts';
import { letterHtml, type Paragraph, paragraphText } from './letter-html.ts';
import type { CodePurpose, LetterWords } from './words/en.ts';

/** A subject, a plain text and the same as HTML, ready for a `Mail`. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

function written(words: LetterWords, subject: string, paragraphs: readonly Paragraph[]): Letter {
  const all = [words.hello, ...paragraphs];
  const text = `${[...all.map(paragraphText), words.signature].join('\n\n')}\n`;
  return { subject, text, html: letterHtml(words, subject, all) };
}

/** An action with its URL below. */
const leading = (say: string, url: string, button: string): Paragraph => ({ say, url, button });

/**
 * A letter with a 6-digit code. The subject holds no code: subjects show on locked screens.
 * `minutes` is its lifetime.
 */
export function codeLetter(purpose: CodePurpose, code: string, minutes: number, words: LetterWords): Letter {
  const { [purpose]: asked, life, unasked } = words.code;
  return written(words, asked.subject, [asked.opening, { code }, life(minutes), unasked]);
}

/** A sign-in link for account recovery. `url` has the token in its fragment. */
export function linkLetter(url: string, hours: number, words: LetterWords): Letter {
  const { subject, opening, life, unasked } = words.link;
  return written(words, subject, [leading(opening, url, words.buttons.signIn), life(hours), unasked]);
}

/** An invitation; `by` is the inviter's address, null for the operator. */
export function invitationLetter(by: string | null, url: string, days: number, words: LetterWords): Letter {
  const { subject, opening, life, unasked } = words.invitation;
  return written(words, subject, [leading(opening(by), url, words.buttons.join), life(days), unasked]);
}

/** A test letter for an administrator. */
export function trialLetter(words: LetterWords): Letter {
  return written(words, words.trial.subject, [words.trial.opening]);
}

/** A notification in a digest. */
export interface LetterItem {
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

/** Confirms that an account was deleted, with the balance left in it. */
export function goodbyeLetter(forfeited_cents: number, words: LetterWords): Letter {
  const { subject, opening, stays, forfeited: left, unasked } = words.goodbye;
  return written(words, subject, [
    opening,
    stays,
    ...(forfeited_cents === 0 ? [] : [left(words.figures.money(forfeited_cents))]),
    unasked,
  ]);
}

/** Tells both addresses that an account's address changed. */
export function addressChangedLetter(words: LetterWords): Letter {
  const { subject, opening, unasked } = words.addressChanged;
  return written(words, subject, [opening, unasked]);
}

/** Tells a person that a passkey was added to their account. */
export function passkeyAddedLetter(name: string, app_url: string, words: LetterWords): Letter {
  const { subject, opening, effect, unasked } = words.passkeyAdded;
  return written(words, subject, [
    opening,
    { theirs: name },
    effect,
    leading(unasked, `${app_url}/passkeys`, words.buttons.passkeys),
  ]);
}

/** Tells a person that a key pair was registered for their agent. */
export function keyPairLetter(handle: string, fingerprint: string, url: string, words: LetterWords): Letter {
  const { subject, opening, unasked } = words.keyPair;
  return written(words, subject, [opening(handle), { theirs: fingerprint }, leading(unasked, url, words.buttons.keys)]);
}

/** Tells a person that an external endpoint receives their agent's messages. The URL is a caller's text, so it is alone on its line. */
export function endpointSetLetter(handle: string, address: string, url: string, words: LetterWords): Letter {
  const { subject, opening, unasked } = words.endpointSet;
  return written(words, subject, [opening(handle), { theirs: address }, leading(unasked, url, words.buttons.agents)]);
}

/** Tells a person that a program may act for them, until a day or as long as it renews its key. Its name is unverified; its host, if any, is verified. */
export function programLetInLetter(
  { name, host, handle }: { readonly name: string; readonly host: string | null; readonly handle: string | null },
  ends_at: number | null,
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, unnamed, bounds, unasked } = words.programLetIn;
  const called = name === '' ? unnamed : name;
  const itself = host === null ? called : `${called} (${host})`;
  return written(words, subject, [
    opening,
    { theirs: itself },
    bounds(handle, ends_at === null ? null : words.figures.day(ends_at)),
    leading(unasked, url, words.buttons.programs),
  ]);
}

/** Tells a person that a program's access ended because one of its tokens was reused after rotation or by another program. */
export function programEndedLetter(name: string, url: string, words: LetterWords): Letter {
  const { subject, opening, why, again } = words.programEnded;
  const called = { theirs: name === '' ? words.programLetIn.unnamed : name };
  return written(words, subject, [opening, called, why, leading(again, url, words.buttons.programs)]);
}

/** A purchase receipt for an address that the buyer chose, so it holds only fixed words, handles and figures. `url` is the signed
 * receipt, for both sides. */
export function purchaseLetter(
  { buyer, seller }: { readonly buyer: string; readonly seller: string },
  { gross, fee, net }: Readonly<Record<'gross' | 'fee' | 'net', number>>,
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, held, escrow, unasked } = words.purchase;
  const amount = words.figures.money(gross);
  const paragraphs = [
    opening(buyer, seller, amount),
    words.figures.sums(gross, fee, net),
    held,
    leading(escrow, url, words.buttons.escrow),
    unasked,
  ];
  return written(words, subject(amount, seller), paragraphs);
}

/** Tells a person the new payout destination and what connected it for the agent of that handle. The names of the bank and of the
 * program are callers' texts, so each is alone on its line. `url` is the page that disconnects it. */
export function payoutConnectedLetter(
  handle: string,
  {
    bank,
    by,
  }: {
    readonly bank: { readonly name: string | null; readonly country: string; readonly last4: string } | null;
    readonly by: { readonly by: keyof LetterWords['payoutConnected']['asked']; readonly name: string | null } | null;
  },
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, ending, unknown, asked, unasked } = words.payoutConnected;
  const called = by?.name === '' ? words.programLetIn.unnamed : by?.name;
  const paragraphs: Paragraph[] = [
    opening,
    ...(bank?.name ? [{ theirs: bank.name }] : []),
    bank === null ? unknown : ending(bank.last4, bank.country),
    ...(by === null ? [] : [asked[by.by](handle)]),
    ...(called ? [{ theirs: called }] : []),
    leading(unasked(handle), url, words.buttons.payouts),
  ];
  return written(words, subject, paragraphs);
}

/** The daily digest of unread notifications; `more` says that the list is incomplete. */
export function digestLetter(entries: readonly LetterItem[], more: boolean, url: string, words: LetterWords): Letter {
  const { subject, opening, readAll, readMore } = words.digest;
  const paragraphs = [opening, ...entries, leading(more ? readMore : readAll, url, words.buttons.notifications)];
  return written(words, subject(entries.length, more), paragraphs);
}

/** An item without a URL of its own: the letter's button leads to its subject. */
const news = ({ title, body }: LetterItem): Paragraph => ({ title, body, url: null });

/** A letter about a conversation; a reply becomes a message of `handle`. `subject` is the conversation's. */
export function threadLetter(
  handle: string,
  subject: string,
  entries: readonly LetterItem[],
  url: string,
  words: LetterWords,
): Letter {
  const paragraphs = [...entries.map(news), leading(words.thread(handle), url, words.buttons.conversation)];
  return written(words, subject === '' ? (entries[0]?.title ?? '') : subject, paragraphs);
}

/** A letter about a match; a reply accepts it and becomes the first message of `handle` to the other side. */
export function matchLetter(handle: string, entries: readonly LetterItem[], url: string, words: LetterWords): Letter {
  const paragraphs = [...entries.map(news), leading(words.match(handle), url, words.buttons.match)];
  return written(words, entries[0]?.title ?? '', paragraphs);
}

/** A letter about an agent's event; `url` is the notification settings. */
export function eventsLetter(handle: string, entries: readonly LetterItem[], url: string, words: LetterWords): Letter {
  const [first] = entries;
  const subject = first && entries.length === 1 ? first.title : words.events(entries.length, handle);
  return written(words, subject, [...entries, leading(words.choose, url, words.buttons.choose)]);
}

/** A letter about a webhook whose deliveries were stopped. The URL is a caller's text, so it is alone on its line.
 * `calls` are the operations that inspect and re-enable it. */
export function webhookEndedLetter(
  handle: string,
  address: string,
  failures: number,
  calls: { readonly logs: string; readonly enable: string },
  words: LetterWords,
): Letter {
  const { subject, opening, failed, next } = words.webhookEnded;
  const paragraphs = [opening(handle), { theirs: address }, failed(failures), next(calls.logs, calls.enable)];
  return written(words, subject(handle), paragraphs);
}

/** A letter about a low wallet balance; `url` is the funding page. */
export function lowBalanceLetter(
  handle: string,
  { balance_cents, low_cents }: { readonly balance_cents: number; readonly low_cents: number },
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, fund, again } = words.lowBalance;
  const { money } = words.figures;
  return written(words, subject(handle), [
    opening(handle, money(balance_cents), money(low_cents)),
    leading(fund, url, words.buttons.fund),
    again,
  ]);
}

/** A letter about an agent's model usage near its daily limit; `url` is the agent's conversations. */
export function modelCapLetter(handle: string, url: string, words: LetterWords): Letter {
  const { subject, opening, next } = words.modelCap;
  return written(words, subject(handle), [opening(handle), leading(next, url, words.buttons.conversations)]);
}

/** What a program may agree to alone after it set its agent's bounds; `url` is where a person confirms or lowers them. */
export function boundsLetter(
  handle: string,
  limits: Readonly<Record<'pays' | 'pays_a_day' | 'charges' | 'approves', number | null>>,
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, next, ...said } = words.bounds;
  const lines = (['approves', 'pays', 'pays_a_day', 'charges'] as const).flatMap((name) => {
    const cents = limits[name];
    return cents === null ? [] : [said[name](words.figures.money(cents))];
  });
  return written(words, subject(handle), [opening(handle), lines.join('\n'), leading(next, url, words.buttons.limits)]);
}

/** Tells a person that a key set what their agent bargains for; `url` is the listing's page. */
export function goalsLetter(
  { handle, headline }: { readonly handle: string; readonly headline: string },
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, next } = words.goals;
  return written(words, subject(handle), [opening(handle, headline), leading(next, url, words.buttons.limits)]);
}

/** A deadline, and the time zone of its reader if it is known. */
interface Due {
  readonly until: number;
  readonly zone?: string | undefined;
}

/** Asks a party to answer a dispute, with amount, deadline and where the money goes without an answer; `url` is the answer's
 * page. */
export function disputeOpenedLetter(
  { handle, cents, until, zone }: Due & { readonly handle: string; readonly cents: number },
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, until: deadline, answer } = words.disputeOpened;
  const amount = words.figures.money(cents);
  return written(words, subject(amount), [
    opening(handle, amount),
    deadline(words.figures.time(until, zone), handle),
    leading(answer, url, words.buttons.dispute),
  ]);
}

/** A reminder that a dispute without an answer is decided against the silent party; `url` is the answer's page. */
export function disputeDueLetter({ until, zone }: Due, url: string, words: LetterWords): Letter {
  const { subject, opening, answer } = words.disputeDue;
  return written(words, subject, [
    opening(words.figures.time(until, zone)),
    leading(answer, url, words.buttons.dispute),
  ]);
}

/** A reminder that an API key expires; `url` is the page that creates one. */
export function keyEndsLetter(name: string, prefix: string, ends_at: number, url: string, words: LetterWords): Letter {
  const { subject, opening, next } = words.keyEnds;
  return written(words, subject, [
    opening(words.figures.day(ends_at)),
    { theirs: `${prefix}… (${name})` },
    leading(next, url, words.buttons.keys),
  ]);
}

/** A letter about an unpaid plan: it will end unless paid, or has ended; `fees` are those without the plan, in basis
 * points. */
export function planLetter(
  ended: boolean,
  days: number,
  fees: { readonly sales: number; readonly calls: number },
  url: string,
  words: LetterWords,
): Letter {
  const { planEnded, planUnpaid, planFees, planNext, figures } = words;
  const [free, pro] = [PLANS.free.name, PLANS.pro.name];
  const news = ended ? planEnded.opening(pro, free) : planUnpaid.opening(days, pro, free);
  return written(words, (ended ? planEnded : planUnpaid).subject(pro), [
    news,
    planFees(free, figures.percent(fees.sales), figures.percent(fees.calls)),
    leading(planNext, url, words.buttons.plan),
  ]);
}

/** The text message of phone verification. */
export function phoneCodeText(code: string, minutes: number, { phone }: LetterWords): string {
  return [phone.opening, code, phone.life(minutes)].join('\n');
}
