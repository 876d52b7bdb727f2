// English texts of letters and text messages, in short plain sentences. Placeholders are handles, figures, times and addresses;
// callers' texts are on lines of their own, outside these texts.
import { NAME } from '../../../domain/instance.ts';
import type { Widened } from '../../../domain/language.ts';
import { figures } from '../../../domain/words/en/figures.ts';

/** Each purpose has its own first sentence, because an unrequested code is a warning. */
const codes = {
  signup: {
    subject: `Your sign-up code for ${NAME}`,
    opening: 'Welcome. This code finishes signing up your agent:',
  },
  login: { subject: `Your login code for ${NAME}`, opening: 'This code gives your agent a new API key:' },
  session: { subject: `Your sign-in code for ${NAME}`, opening: 'This code signs you in:' },
  claim: {
    subject: `Your code to claim an agent for ${NAME}`,
    opening: 'An agent asks to belong to you. This code makes it yours:',
  },
  leave_address: {
    subject: `Your code to change your address for ${NAME}`,
    opening: 'Your account is to use another address. With this code you agree:',
  },
  take_address: {
    subject: `Your code to confirm your new address for ${NAME}`,
    opening: 'An account is to use this address. With this code you agree:',
  },
};

export const en = {
  lang: 'en',
  figures,
  hello: 'Hello,',
  signature: NAME,
  /** Below an agent's event. */
  choose: 'To choose what you hear of by mail:',
  /** The label of a letter's button. */
  buttons: {
    signIn: 'Sign in',
    join: 'Create an account',
    passkeys: 'Manage passkeys',
    keys: 'Manage API keys',
    agents: 'Open your agents',
    programs: 'Manage programs',
    payouts: 'Manage payouts',
    escrow: 'Open the escrow',
    notifications: 'Read all',
    conversation: 'Open the conversation',
    conversations: 'Open the conversations',
    match: 'Look at the match',
    choose: 'Open notifications',
    fund: 'Add money',
    limits: 'Review the limits',
    dispute: 'Answer the dispute',
    plan: 'Manage your plan',
  },
  code: {
    ...codes,
    life: (minutes: number) => `It works once, for ${minutes} minutes. We never ask for it by phone or chat.`,
    unasked: 'If you did not ask for this, ignore this letter; nothing happens without the code.',
  },
  link: {
    subject: `Your sign-in link for ${NAME}`,
    opening: 'This link signs you in:',
    life: (hours: number) => `It works once, for ${hours} hours. Do not forward it: whoever opens it is you.`,
    unasked: 'If you did not ask for this, ignore this letter.',
  },
  invitation: {
    subject: `You are invited to ${NAME}`,
    /** `by` is null when the operator invites. */
    opening: (by: string | null) =>
      `${by ?? 'Whoever runs this service'} invites you to ${NAME}, where software agents represent people and businesses. This link lets you make an account:`,
    life: (days: number) => `It works once, for ${days} days.`,
    unasked: 'If you do not know who that is, ignore this letter; nothing happens without the link.',
  },
  trial: {
    subject: `A letter to try out the mail of ${NAME}`,
    opening: 'You asked for this letter to see whether mail arrives. It did.',
  },
  goodbye: {
    subject: `Your ${NAME} account was deleted`,
    opening:
      'Your account was deleted, as you asked. Its agents and listings are gone, and its keys and sessions work no more.',
    stays:
      'What you wrote to others stays with them, under a name that is not yours. The ledger keeps its amounts without your name.',
    forfeited: (amount: string) => `${amount} was left, which you gave up.`,
    unasked: 'If you did not ask for this, write to whoever runs this service at once.',
  },
  addressChanged: {
    subject: `Your address at ${NAME} was changed`,
    opening: 'Your account now uses another email address. Both addresses agreed with a code.',
    unasked: 'If that was not you, write to whoever runs this service at once.',
  },
  passkeyAdded: {
    subject: `A passkey was added to your ${NAME} account`,
    opening: 'A passkey was added to your account. Its name:',
    effect: 'Whoever holds it signs in without a code.',
    unasked: 'If that was not you, remove it here, and revoke all sessions:',
  },
  keyPair: {
    subject: `A key pair was registered for your ${NAME} agent`,
    opening: (handle: string) =>
      `A key pair was registered for @${handle}. Whoever holds its private key acts as @${handle}, as far as what registered it may. Its fingerprint:`,
    unasked: 'If that was not you, remove it here, and revoke the key that registered it:',
  },
  endpointSet: {
    subject: `An endpoint was set for your ${NAME} agent`,
    opening: (handle: string) =>
      `Messages to @${handle} go to an endpoint elsewhere from now on, which may answer them in the name of @${handle}:`,
    unasked: 'If that was not you, take it out here, and revoke your keys:',
  },
  programEnded: {
    subject: `A program was disconnected from your ${NAME} account`,
    opening: 'A program that you let in was disconnected. It calls itself:',
    why: 'One of its tokens was used again after it had been replaced, or by another program. Somebody may have a copy, so all of its tokens were ended. This also happens when a program goes back to a copy of its settings.',
    again: 'If you use the program, connect it again from there. What is connected now:',
  },
  programLetIn: {
    subject: `A program was let into your ${NAME} account`,
    opening: 'A program was let into your account. It calls itself:',
    unnamed: 'a program without a name',
    /** `handle` is null when it may act as any agent, `ends` when it has a renewable key. */
    bounds: (handle: string | null, ends: string | null) => {
      const acts = `acts as ${handle === null ? 'any of your agents' : `@${handle}`}`;
      return ends === null ? `It has a key of its own, and ${acts}.` : `It ${acts}, until ${ends} at the latest.`;
    },
    unasked: 'If that was not you, sign in and throw it out:',
  },
  purchase: {
    subject: (amount: string, seller: string) => `Receipt: ${amount} to @${seller}`,
    opening: (buyer: string, seller: string, amount: string) =>
      `@${buyer} bought something from @${seller} for ${amount} and gave this address for the receipt.`,
    held: 'The money is held in escrow. The seller gets it once the buyer releases it.',
    escrow: 'Both sides can read the signed receipt with the escrow:',
    unasked: 'If you know of neither, ignore this letter; nothing is asked of you.',
  },
  payoutConnected: {
    subject: `Your ${NAME} account has a new payout account`,
    opening: 'What is withdrawn from the wallets of your agents goes to this bank account from now on:',
    ending: (last4: string, country: string) => `Its number ends in ${last4}. Country: ${country}`,
    unknown: 'The payment processor does not say which it is.',
    asked: {
      api_keys: (handle: string) => `It was connected for @${handle} by a key of yours, which has this name:`,
      oauth_grants: (handle: string) =>
        `It was connected for @${handle} by a program that you let in. It calls itself:`,
      sessions: (handle: string) => `It was connected for @${handle} by somebody who was signed in as you.`,
    },
    unasked: (handle: string) => `If that was not you, disconnect it here, and revoke the keys of @${handle}:`,
  },
  digest: {
    subject: (told: number, more: boolean) =>
      `${more ? `More than ${told}` : told} unread ${told === 1 ? 'notification' : 'notifications'} on ${NAME}`,
    opening: 'This is unread:',
    readAll: 'To read it, or change how often you hear of it:',
    readMore: 'There is more. Read all of it, or change how often you hear of it:',
  },
  thread: (handle: string) => `Answer this mail to write as ${handle}, or read all of it:`,
  match: (handle: string) =>
    `Answer this mail to say that you are interested: what you write is the first message of ${handle}. To look at it first, or to decline:`,
  /** The subject of a letter about several events. */
  events: (count: number, handle: string) => `${count} things happened to ${handle}`,
  webhookEnded: {
    subject: (handle: string) => `A webhook of @${handle} was turned off`,
    opening: (handle: string) => `We have stopped sending the events of @${handle} to this webhook:`,
    failed: (failures: number) =>
      `${failures === 1 ? 'The last delivery' : `The last ${failures} deliveries`} to it failed. What was not delivered is in the agent's inbox.`,
    next: (logs: string, enable: string) =>
      `Its deliveries so far are under ${logs}. Once it works again, enable it by ${enable}.`,
  },
  lowBalance: {
    subject: (handle: string) => `The wallet of @${handle} runs low`,
    opening: (handle: string, balance: string, low: string) =>
      `The wallet of @${handle} is down to ${balance}, below the ${low} at which you hear of it.`,
    fund: 'To add money, sign in:',
    again: 'You hear of this again after the balance was above in between.',
  },
  modelCap: {
    subject: (handle: string) => `The model of @${handle} nears its limit for today`,
    opening: (handle: string) =>
      `The model that writes for @${handle} has used four fifths of what it may on one day. Should it use all of it, the built-in rules take the turns until midnight UTC.`,
    next: 'What was asked and answered is kept for 30 days, for you alone. The conversations:',
  },
  bounds: {
    subject: (handle: string) => `Your program changed what ${handle} may agree to alone`,
    opening: (handle: string) => `A program with a key of yours set the bounds of ${handle}:`,
    approves: (amount: string) => `It may now agree to amounts of up to ${amount} without asking you.`,
    pays: (amount: string) => `It pays at most ${amount} at once without asking you.`,
    pays_a_day: (amount: string) => `It pays at most ${amount} in a day without asking you.`,
    charges: (amount: string) => `It charges at least ${amount} without asking you.`,
    next: 'No deal made under them is paid before you, or a key with the right to pay, pays it. To keep them or lower them:',
  },
  goals: {
    subject: (handle: string) => `Your program changed what ${handle} bargains for`,
    opening: (handle: string, headline: string) =>
      `A program with a key of yours set what ${handle} wants in deals about “${headline}”. It may agree to more than before without asking you.`,
    next: 'To look at it and change it:',
  },
  disputeOpened: {
    subject: (amount: string) => `A dispute about ${amount} waits for your answer`,
    opening: (handle: string, amount: string) =>
      `${handle} disputes an escrow of yours. ${amount} of it is not released, and stays where it is until the dispute ends.`,
    until: (until: string, other: string) =>
      `You have until ${until}. If nobody answers for you by then, all of it goes to ${other}.`,
    answer: 'To answer with evidence, or to propose how to split it:',
  },
  disputeDue: {
    subject: 'A dispute is decided tomorrow unless you answer',
    opening: (until: string) =>
      `A dispute about an escrow of yours waits for your answer until ${until}. Unanswered, it is decided for the other side in full.`,
    answer: 'To answer with evidence, or to propose how to split it:',
  },
  keyEnds: {
    subject: 'An API key ends in a week',
    opening: (until: string) => `An API key of yours that is in use ends on ${until}. What uses it stops working then:`,
    next: 'A program renews its key by itself as long as it works; the letter means that yours has not. To make another key:',
  },
  planUnpaid: {
    subject: (pro: string) => `Your ${pro} plan could not be renewed`,
    opening: (days: number, pro: string, free: string) =>
      `Your ${pro} plan could not be renewed. It goes on for ${days} days; after that your account is on the ${free} plan.`,
  },
  planEnded: {
    subject: (pro: string) => `Your ${pro} plan has ended`,
    opening: (pro: string, free: string) =>
      `Your account is on the ${free} plan now, since ${pro} could not be renewed. What you have stays; what exceeds the ${free} plan cannot be added to.`,
  },
  planFees: (free: string, sales: string, calls: string) =>
    `On ${free} the fee is ${sales} of what you sell, and ${calls} of what routed calls earn you.`,
  planNext: 'You can look after it here:',
  /** Phone verification; fits in one SMS with the code. */
  phone: {
    opening: `Your ${NAME} code:`,
    life: (minutes: number) => `It works for ${minutes} minutes. Never share it.`,
  },
};

/** All texts of letters; those with placeholders are functions. */
export type LetterWords = Widened<typeof en>;

/** Why a code is sent. */
export type CodePurpose = keyof typeof codes;
