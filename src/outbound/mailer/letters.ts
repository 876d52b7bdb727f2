// The service's letters and text messages: which texts follow each other, as plain text and as HTML. In the text the code stands alone
// on its line, so that people can copy it and programs can find it (rules.md 3), and a link too. Each letter takes the words
// that it is written in.
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

/** What is to be done, and under it where. */
const leading = (say: string, url: string, button: string): Paragraph => ({ say, url, button });

/**
 * A letter with a 6-digit code. The subject holds no code: subjects show on locked screens.
 * `minutes` is how long it works.
 */
export function codeLetter(purpose: CodePurpose, code: string, minutes: number, words: LetterWords): Letter {
  const { [purpose]: asked, life, unasked } = words.code;
  return written(words, asked.subject, [asked.opening, { code }, life(minutes), unasked]);
}

/** A letter with a sign-in link, mailed for account recovery. `url` carries its token in the fragment. */
export function linkLetter(url: string, hours: number, words: LetterWords): Letter {
  const { subject, opening, life, unasked } = words.link;
  return written(words, subject, [leading(opening, url, words.buttons.signIn), life(hours), unasked]);
}

/** Invites somebody to join; `by` is the address of whoever does, null where that is whoever runs the service. */
export function invitationLetter(by: string | null, url: string, days: number, words: LetterWords): Letter {
  const { subject, opening, life, unasked } = words.invitation;
  return written(words, subject, [leading(opening(by), url, words.buttons.join), life(days), unasked]);
}

/** Goes to an administrator who tries out whether mail arrives. */
export function trialLetter(words: LetterWords): Letter {
  return written(words, words.trial.subject, [words.trial.opening]);
}

/** What a digest tells of one notification. */
export interface LetterItem {
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

/** Confirms that an account was deleted, and tells what was left in it. */
export function goodbyeLetter(forfeited_cents: number, words: LetterWords): Letter {
  const { subject, opening, stays, forfeited: left, unasked } = words.goodbye;
  return written(words, subject, [
    opening,
    stays,
    ...(forfeited_cents === 0 ? [] : [left(words.figures.money(forfeited_cents))]),
    unasked,
  ]);
}

/** Tells both addresses that an account goes on under another one. */
export function addressChangedLetter(words: LetterWords): Letter {
  const { subject, opening, unasked } = words.addressChanged;
  return written(words, subject, [opening, unasked]);
}

/** Tells a person that their account can be signed in to by one more passkey. */
export function passkeyAddedLetter(name: string, app_url: string, words: LetterWords): Letter {
  const { subject, opening, effect, unasked } = words.passkeyAdded;
  return written(words, subject, [
    opening,
    { theirs: name },
    effect,
    leading(unasked, `${app_url}/passkeys`, words.buttons.passkeys),
  ]);
}

/** Tells a person that their agent can be spoken for by one more key pair. */
export function keyPairLetter(handle: string, fingerprint: string, url: string, words: LetterWords): Letter {
  const { subject, opening, unasked } = words.keyPair;
  return written(words, subject, [opening(handle), { theirs: fingerprint }, leading(unasked, url, words.buttons.keys)]);
}

/** Tells a person that an endpoint elsewhere takes what is said to their agent. The address is a caller's text, so it stands alone. */
export function endpointSetLetter(handle: string, address: string, url: string, words: LetterWords): Letter {
  const { subject, opening, unasked } = words.endpointSet;
  return written(words, subject, [opening(handle), { theirs: address }, leading(unasked, url, words.buttons.agents)]);
}

/** Tells a person that a program may act for them from now on, until a day or as long as it renews its key. Its name is what it says of itself; its host, where it has one, is proven. */
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

/** Tells a person that a program works no more, since a token of it was shown that should be nobody's any more. */
export function programEndedLetter(name: string, url: string, words: LetterWords): Letter {
  const { subject, opening, why, again } = words.programEnded;
  const called = { theirs: name === '' ? words.programLetIn.unnamed : name };
  return written(words, subject, [opening, called, why, leading(again, url, words.buttons.programs)]);
}

/** The receipt of a purchase, to whatever address its buyer named: of fixed words, handles and figures alone. `url` is where both
 * sides read the signed one. */
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

/** Tells a person where what is withdrawn goes from now on, and what connected it for the agent of that handle. The names of the bank and
 * of what asked are others' texts, so each stands alone on its line. `url` is where it is disconnected. */
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

/** The daily letter of what is unread; `more` says that it is not all. */
export function digestLetter(entries: readonly LetterItem[], more: boolean, url: string, words: LetterWords): Letter {
  const { subject, opening, readAll, readMore } = words.digest;
  const paragraphs = [opening, ...entries, leading(more ? readMore : readAll, url, words.buttons.notifications)];
  return written(words, subject(entries.length, more), paragraphs);
}

/** An item without an address of its own, where the letter leads to what it is about. */
const news = ({ title, body }: LetterItem): Paragraph => ({ title, body, url: null });

/** A letter about a conversation; an answer to it becomes a message of `handle`. `subject` is the conversation's. */
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

/** A letter about a match; an answer to it says yes, and is the first message of `handle` to the other side. */
export function matchLetter(handle: string, entries: readonly LetterItem[], url: string, words: LetterWords): Letter {
  const paragraphs = [...entries.map(news), leading(words.match(handle), url, words.buttons.match)];
  return written(words, entries[0]?.title ?? '', paragraphs);
}

/** A letter about what happened to an agent; `url` is where one chooses what is mailed. */
export function eventsLetter(handle: string, entries: readonly LetterItem[], url: string, words: LetterWords): Letter {
  const [first] = entries;
  const subject = first && entries.length === 1 ? first.title : words.events(entries.length, handle);
  return written(words, subject, [...entries, leading(words.choose, url, words.buttons.choose)]);
}

/** A letter about a webhook that deliveries go to no more. The address is a caller's text, so it stands alone on its line.
 * `calls` are those that look into it and mend it, as they are told by letter. */
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

/** A letter about a wallet that runs low; `url` is where it is funded. */
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

/** A letter about a model that has used most of what it may for an agent on a day; `url` is where the agent's talks are read. */
export function modelCapLetter(handle: string, url: string, words: LetterWords): Letter {
  const { subject, opening, next } = words.modelCap;
  return written(words, subject(handle), [opening(handle), leading(next, url, words.buttons.conversations)]);
}

/** What a program may agree to alone since it set the bounds of its agent; `url` is where a person keeps or lowers it. */
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

/** Asks whoever has to answer a dispute: about how much, until when, and where the money goes unless they do; `url` is where it is
 * answered. */
export function disputeOpenedLetter(
  { handle, cents, until }: { readonly handle: string; readonly cents: number; readonly until: number },
  url: string,
  words: LetterWords,
): Letter {
  const { subject, opening, until: deadline, answer } = words.disputeOpened;
  const amount = words.figures.money(cents);
  return written(words, subject(amount), [
    opening(handle, amount),
    deadline(words.figures.time(until), handle),
    leading(answer, url, words.buttons.dispute),
  ]);
}

/** A reminder that a dispute is decided against whoever does not answer it; `url` is where it is answered. */
export function disputeDueLetter(until: number, url: string, words: LetterWords): Letter {
  const { subject, opening, answer } = words.disputeDue;
  return written(words, subject, [opening(words.figures.time(until)), leading(answer, url, words.buttons.dispute)]);
}

/** A reminder that an API key ends; `url` is where another one is made. */
export function keyEndsLetter(name: string, prefix: string, ends_at: number, url: string, words: LetterWords): Letter {
  const { subject, opening, next } = words.keyEnds;
  return written(words, subject, [
    opening(words.figures.day(ends_at)),
    { theirs: `${prefix}… (${name})` },
    leading(next, url, words.buttons.keys),
  ]);
}

/** What a person is told of a plan that was not paid: that it ends unless it is, or that it has ended; `fees` are those without it,
 * in basis points. */
export function planLetter(
  ended: boolean,
  days: number,
  fees: { readonly sales: number; readonly calls: number },
  url: string,
  words: LetterWords,
): Letter {
  const { planEnded, planUnpaid, planFees, planNext, figures } = words;
  const news = ended ? planEnded.opening : planUnpaid.opening(days);
  return written(words, (ended ? planEnded : planUnpaid).subject, [
    news,
    planFees(figures.percent(fees.sales), figures.percent(fees.calls)),
    leading(planNext, url, words.buttons.plan),
  ]);
}

/** The text message of the phone proof. */
export function phoneCodeText(code: string, minutes: number, { phone }: LetterWords): string {
  return [phone.opening, code, phone.life(minutes)].join('\n');
}
