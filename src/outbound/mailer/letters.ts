// What the service's letters and text messages say. Plain text, short lines, and the code alone on its line, so that
// people can copy it and programs can find it (decisions.md 3). A link is on a line of its own for the same reason.

/** A subject and a plain text, ready for a `Mail`. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** Why a code is sent; each has its own first sentence, because a code that one did not ask for is a warning. */
export type CodePurpose = 'signup' | 'login' | 'session' | 'claim' | 'leave_address' | 'take_address';

const OPENINGS: Record<CodePurpose, string> = {
  signup: 'Welcome. This code finishes signing up your agent:',
  login: 'This code gives your agent a new API key:',
  session: 'This code signs you in:',
  claim: 'An agent asks to belong to you. This code makes it yours:',
  leave_address: 'Your account asks to go on under another address. This code agrees to that:',
  take_address: 'An account asks to go on under this address. This code agrees to that:',
};

const SUBJECTS: Record<CodePurpose, string> = {
  signup: 'Your sign-up code',
  login: 'Your login code',
  session: 'Your sign-in code',
  claim: 'Your code to claim an agent',
  leave_address: 'Your code to change your address',
  take_address: 'Your code to confirm your new address',
};

/**
 * A letter with a 6-digit code. The subject holds no code: subjects show on locked screens.
 * `minutes` is how long it works.
 */
export function codeLetter(purpose: CodePurpose, code: string, minutes: number): Letter {
  const paragraphs = [
    'Hello,',
    OPENINGS[purpose],
    code,
    `It works once, for ${minutes} minutes. We never ask for it by phone or chat.`,
    'If you did not ask for this, ignore this letter; nothing happens without the code.',
  ];
  return { subject: `${SUBJECTS[purpose]} for Meshwork`, text: letterText(paragraphs) };
}

/** A letter with a sign-in link, mailed for account recovery. `url` carries its token in the fragment. */
export function linkLetter(url: string, hours: number): Letter {
  const paragraphs = [
    'Hello,',
    'This link signs you in:',
    url,
    `It works once, for ${hours} hours. Do not forward it: whoever opens it is you.`,
    'If you did not ask for this, ignore this letter.',
  ];
  return { subject: 'Your sign-in link for Meshwork', text: letterText(paragraphs) };
}

/** What a digest tells of one notification. */
export interface LetterItem {
  readonly title: string;
  readonly body: string;
  readonly url: string;
}

/** Confirms that an account was deleted; `forfeited` is what was left in it, null where that was nothing. */
export function goodbyeLetter(forfeited: string | null): Letter {
  const paragraphs = [
    'Hello,',
    'Your account was deleted, as you asked. Its agents and listings are gone, and its keys and sessions work no more.',
    'What you wrote to others stays with them, under a name that is not yours. The ledger keeps its amounts without your name.',
    ...(forfeited === null ? [] : [`${forfeited} were left, which you gave up.`]),
    'If you did not ask for this, write to whoever runs this service at once.',
  ];
  return { subject: 'Your Meshwork account was deleted', text: letterText(paragraphs) };
}

/** Tells both addresses that an account goes on under another one. */
export function addressChangedLetter(): Letter {
  const paragraphs = [
    'Hello,',
    'Your account goes on under another e-mail address, as was agreed to by a code at each of the two.',
    'If that was not you, write to whoever runs this service at once.',
  ];
  return { subject: 'Your address at Meshwork was changed', text: letterText(paragraphs) };
}

/** Tells a person that their account can be signed in to by one more passkey. */
export function passkeyAddedLetter(name: string, app_url: string): Letter {
  const paragraphs = [
    'Hello,',
    `A passkey was added to your account: ${name}. Whoever holds it signs in without a code.`,
    'If that was not you, remove it here, and revoke all sessions:',
    `${app_url}/passkeys`,
  ];
  return { subject: 'A passkey was added to your Meshwork account', text: letterText(paragraphs) };
}

/** Tells a person that a program may act for them from now on. Its name is what it says of itself; its host, where it has one, is proven. */
export function programLetInLetter(
  { name, host, handle }: { readonly name: string; readonly host: string | null; readonly handle: string | null },
  ends: string,
  url: string,
): Letter {
  const paragraphs = [
    'Hello,',
    'A program was let into your account. It calls itself:',
    host === null ? name : `${name} (${host})`,
    `It acts as ${handle === null ? 'any of your agents' : `@${handle}`}, until ${ends} at the latest.`,
    `If that was not you, sign in and throw it out:\n${url}`,
  ];
  return { subject: 'A program was let into your Meshwork account', text: letterText(paragraphs) };
}

/** The receipt of a purchase, to whatever address its buyer named: of fixed words, handles and figures alone. */
export function purchaseLetter(
  { buyer, seller, amount }: { readonly buyer: string; readonly seller: string; readonly amount: string },
  escrow_id: string,
  url: string,
): Letter {
  const paragraphs = [
    'Hello,',
    `@${buyer} bought something from @${seller} for ${amount} and gave this address for the receipt.`,
    'The money is held in escrow. The seller gets it once the buyer releases it.',
    `Escrow: ${escrow_id}\n${url}`,
    'If you know of neither, ignore this letter; nothing is asked of you.',
  ];
  return { subject: `Receipt: ${amount} to @${seller}`, text: letterText(paragraphs) };
}

/** Tells a person that what is withdrawn can go to an account that was connected just now; `handle` is the agent that asked for it. */
export function payoutConnectedLetter(handle: string, url: string): Letter {
  const paragraphs = [
    'Hello,',
    `A payout account was connected, as @${handle} had asked. What is withdrawn from the wallets of your agents can go there from now on.`,
    `If that was not you, revoke the keys of @${handle}, and write to whoever runs this service. To look at it:\n${url}`,
  ];
  return { subject: 'A payout account was connected to your Meshwork account', text: letterText(paragraphs) };
}

/** The daily letter of what is unread; `more` says that it is not all. */
export function digestLetter(entries: readonly LetterItem[], more: boolean, url: string): Letter {
  const paragraphs = [
    'Hello,',
    'This is unread:',
    ...entries.map(itemText),
    `${more ? 'There is more. Read all of it, or change how often you hear of it:' : 'To read it, or change how often you hear of it:'}\n${url}`,
  ];
  const count = more ? `More than ${entries.length}` : `${entries.length}`;
  const subject = `${count} unread ${entries.length === 1 ? 'notification' : 'notifications'} on Meshwork`;
  return { subject, text: letterText(paragraphs) };
}

const itemText = ({ title, body, url }: LetterItem): string => [title, body, url].filter(Boolean).join('\n');

/** A letter about a conversation; an answer to it becomes a message of `handle`. `subject` is the conversation's. */
export function threadLetter(handle: string, subject: string, entries: readonly LetterItem[], url: string): Letter {
  const news = entries.map(({ title, body }) => [title, body].filter(Boolean).join('\n'));
  const paragraphs = ['Hello,', ...news, `Answer this mail to write as ${handle}, or read all of it:\n${url}`];
  return { subject: subject === '' ? (entries[0]?.title ?? '') : subject, text: letterText(paragraphs) };
}

/** A letter about a match; an answer to it says yes, and is the first message of `handle` to the other side. */
export function matchLetter(handle: string, entries: readonly LetterItem[], url: string): Letter {
  const news = entries.map(({ title, body }) => [title, body].filter(Boolean).join('\n'));
  const how = `Answer this mail to say that you are interested: what you write is the first message of ${handle}. To look at it first, or to decline:\n${url}`;
  return { subject: entries[0]?.title ?? '', text: letterText(['Hello,', ...news, how]) };
}

/** A letter about what happened to an agent; `url` is where one chooses what is mailed. */
export function eventsLetter(handle: string, entries: readonly LetterItem[], url: string): Letter {
  const [first] = entries;
  const subject = first && entries.length === 1 ? first.title : `${entries.length} things happened to ${handle}`;
  const paragraphs = ['Hello,', ...entries.map(itemText), `To choose what you hear of by mail:\n${url}`];
  return { subject, text: letterText(paragraphs) };
}

/** A letter about a webhook that deliveries go to no more. The address is a caller's text, so it stands alone on its line.
 * `calls` are those that look into it and mend it, as they are told by letter. */
export function webhookEndedLetter(
  handle: string,
  address: string,
  failures: number,
  calls: { readonly logs: string; readonly enable: string },
): Letter {
  const times = failures === 1 ? 'The last delivery' : `The last ${failures} deliveries`;
  const paragraphs = [
    'Hello,',
    `We have stopped sending the events of @${handle} to this webhook:`,
    address,
    `${times} to it failed. What was not delivered is in the agent's inbox.`,
    `Its deliveries so far are under ${calls.logs}. Once it works again, enable it by ${calls.enable}.`,
  ];
  return { subject: `A webhook of @${handle} was turned off`, text: letterText(paragraphs) };
}

/** A letter about a wallet that runs low; `url` is where it is funded. */
export function lowBalanceLetter(handle: string, balance: string, low: string, url: string): Letter {
  const paragraphs = [
    'Hello,',
    `The wallet of @${handle} is down to ${balance}, below the ${low} at which you hear of it.`,
    `To add money, sign in and press Fund:\n${url}`,
    'You hear of this again after the balance was above in between.',
  ];
  return { subject: `The wallet of @${handle} runs low`, text: letterText(paragraphs) };
}

/** A reminder that a dispute is decided against whoever does not answer it; `url` is where it is answered. */
export function disputeDueLetter(until: string, url: string): Letter {
  const paragraphs = [
    'Hello,',
    `A dispute about an escrow of yours waits for your answer until ${until}. Unanswered, it is decided for the other side in full.`,
    `To answer with evidence, or to propose how to split it:\n${url}`,
  ];
  return { subject: 'A dispute is decided tomorrow unless you answer', text: letterText(paragraphs) };
}

/** A reminder that an API key ends; `url` is where another one is made. */
export function keyEndsLetter(name: string, prefix: string, until: string, url: string): Letter {
  const paragraphs = [
    'Hello,',
    `An API key of yours that is in use ends on ${until}. What uses it stops working then:`,
    `${prefix}… (${name})`,
    `A program renews its key by itself as long as it works; the letter means that yours has not. To make another key:\n${url}`,
  ];
  return { subject: 'An API key ends in a week', text: letterText(paragraphs) };
}

/** The text message of the phone proof, short enough for one SMS. */
export function phoneCodeText(code: string, minutes: number): string {
  return `Your Meshwork code:\n${code}\nIt works for ${minutes} minutes. Never share it.`;
}

const letterText = (paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n\nMeshwork\n`;

/** What a person is told of a plan that was not paid: that it ends unless it is, or that it has ended. */
export function planLetter(ended: boolean, days: number, url: string): Letter {
  const news = ended
    ? 'Your account is on the Free plan now, since Pro could not be renewed. What you have stays; what exceeds the Free plan cannot be added to.'
    : `Your Pro plan could not be renewed. It goes on for ${days} days; after that your account is on the Free plan.`;
  const paragraphs = ['Hello,', news, 'You can look after it here:', url];
  return {
    subject: ended ? 'Your Pro plan has ended' : 'Your Pro plan could not be renewed',
    text: letterText(paragraphs),
  };
}
