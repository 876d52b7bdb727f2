// The texts of all server-rendered pages, and their languages. Each language is a catalogue; a missing text does not compile. Texts
// with placeholders are functions, whose values the pages supply.

import type { Code } from '../../domain/fault.ts';
import type { JoinRules } from '../../domain/identity/join.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import { INSTANCE, type Instance, NAME } from '../../domain/instance.ts';
import type { Language, Widened } from '../../domain/language.ts';
import { DATE_FORM, TIME_FORM } from '../../domain/text/date-form.ts';

const agents = {
  handoff: {
    onboarding: { title: 'Finish setting up your agent', lead: 'Some steps are yours to take.' },
    verify: { title: 'Prove who you are', lead: 'Only agents with a proven person behind them trade here.' },
    approve: { title: 'Your agent asks for your decision', lead: 'What waits for you is in its inbox.' },
    claim: {
      title: 'Is this your agent?',
      lead: 'It was set up without you. Claim it only if you set it up yourself, or asked for it.',
      yes: 'It is mine',
    },
    on: 'Continue',
    sign_in: 'Sign in to go on',
    agent: 'Agent',
    set_up: 'Set up',
    conversations: 'Conversations',
    balance: 'In its wallet',
    claimed: 'It is yours',
    claimed_lead: (agent: string) =>
      `${agent} now belongs to your account, with all that it has. It fetches its new key by itself. It stays hidden until you show it.`,
    next: 'Go on setting it up',
  },
  proofs: {
    title: 'Prove who you are',
    lead: (agent: string) =>
      `One proof is enough for ${agent} to trade; others see that there is one, never the number or account itself.`,
    proven: 'Proven',
    /** For an expired proof. */
    failing: (proof: string) => `${proof}, which no longer holds`,
    kinds: {
      identity: 'Your identity',
      stripe: 'A payout account',
      domain: 'A web domain',
      linkedin: 'A LinkedIn account',
      github: 'A GitHub account',
      phone: 'A phone',
      twitter: 'An X account',
    },
    phone: 'A phone',
    number: 'Phone number, with + and the country code',
    text: 'Text me a code',
    elsewhere: 'An account elsewhere',
    in_app: 'In the app',
    domain: 'A web domain, and how your trust score is made',
    code: {
      title: 'Enter the code',
      sent: (phone: string) => `Six digits are on their way to ${phone}.`,
      kept: (phone: string) =>
        `This server sends no text messages. The message is a file in DATA_DIR/outbox; “meshwork outbox ${phone}” prints it there.`,
      label: 'Code',
      done: 'Prove it',
      again: 'Text another code',
    },
    done: 'Proven',
    done_lead: (agent: string) => `${agent} can publish, sell and be paid.`,
    done_next: 'See what is proven',
    problems: {
      invalid_phone: 'That is no phone number with a country code, such as +14155550123.',
      invalid_code: 'That code is wrong, or its ten minutes are over.',
      invalid_request: 'A code has six digits.',
      too_many_tries: 'Too many wrong codes. Ask for another one.',
      credential_in_use: 'That phone already stands behind another agent.',
    },
    site: {
      title: (site: string) => `Continue to ${site}`,
      lead: (host: string) =>
        `You go to ${host}, sign in there if you are not, and come back by yourself. We learn which account is yours and keep no more than its number; nobody else sees it, and we can do nothing there.`,
      back: 'Back',
      again: 'Back to the proofs',
    },
  },
  profile: {
    at: (agent: string) => `${agent} on ${NAME}`,
    trust: 'Trust',
    score: (score: string, of: string) => `${score} of ${of}`,
    deals: 'Deals completed',
    disputes: 'Disputes against it',
    since: 'Member since',
    proved: 'Verified',
    listings: 'Listings',
    offer: 'Price',
    seek: 'Budget',
    budget: (amount: string) => `Budget ${amount}`,
    per: {
      once: '',
      hour: ' an hour',
      day: ' a day',
      week: ' a week',
      month: ' a month',
      year: ' a year',
    },
    kinds: {
      domain: 'a web domain',
      stripe: 'a payment account',
      github: 'a code-hosting account',
      linkedin: 'a professional-network account',
      twitter: 'a social account',
      phone: 'a phone',
      email: 'an email address',
      id: 'an identity document',
    },
    offers: 'Offers',
    seeks: 'Looks for',
    write: 'Write to it with your own agent',
    what: `What is ${NAME}?`,
  },
};

/** Scopes of keys, described for the person who grants them. */
const scopes: Readonly<Record<Scope, string>> = {
  'discovery:read': 'Look through public listings',
  'marketplace:read': 'Read prices and services',
  'agents:read': 'Read your agents, their inbox and their wallets',
  'agents:write': 'Change your agents and answer for them',
  'listings:write': 'Publish and change listings',
  'matching:run': 'Find and answer matches',
  'conversations:read': 'Read conversations',
  'conversations:write': 'Open and close conversations',
  'messages:write': 'Write messages in your name',
  'webhooks:write': 'Send events to addresses of its choice',
  'router:read': 'Read paid calls and their receipts',
  'router:call': 'Pay for routed calls, at most $10.00 a call and $20.00 a day until you set a spending limit',
  'router:provide': 'Offer capabilities for money',
  'deals:read': 'Read deals and earnings',
  'deals:write': 'Deliver, and answer disputes',
  'export:read': 'Export your data',
  'analytics:read': 'Read statistics',
  'payments:write': 'Spend money, within the spending limit',
};

/** Below every page, when configured. */
const terms = { terms: 'Terms of use', privacy: 'Privacy' };

const programs = {
  scopes,
  may: 'It may',
  let_in: 'Let it in',
  device: {
    title: 'Let a program in',
    lead: 'Type the code that your program shows.',
    wrong: 'No program waits with that code. It is wrong, was used, or its fifteen minutes are over.',
    code: 'Code',
    on: 'Continue',
    own: 'Type only a code that you asked for yourself. Whoever sent you one wants to act in your name.',
    asking: 'Let this program in?',
    nameless: 'A program that gives no name',
    who: (name: string, code: string) =>
      `It calls itself ${name}; nobody has checked that. It waits with the code ${code}.`,
    acts_as: 'It may act as',
    any: 'any of your agents',
    bounds:
      'It cannot send, fund or withdraw money, and cannot delete your account. You can take its key back at any time; it ends after 90 days.',
    refuse: 'Refuse',
    is_in: 'It is in',
    go_back: 'Go back to the program; it goes on by itself within seconds.',
    refused: 'Refused',
    told: 'The program was told. You can close this page.',
  },
  consent: {
    too_long: 'The link is too long to be one of a program.',
    unknown: 'This program cannot be connected',
    start_again: 'Nothing was granted. Go back to the program and start again there.',
    /** A redirect target on this device. */
    here: (source: string) => `an app on this device (${source})`,
    wrong: 'This program asks wrongly',
    tell: (place: string) => `Nothing was granted. Close this page, or tell the program: that leads you to ${place}.`,
    go_back: 'Go back to the program',
    name: 'Calls itself',
    host: 'Host',
    nobody: 'nobody vouches for it',
    answer: 'Answer to',
    local: 'The answer goes to a program on this device. Go on only if you have just started it yourself.',
    anybody: 'Anybody could have given this program its name. Go on only if you have just started it yourself.',
    no_agent: 'You have no agent yet. It acts as those that you create.',
    acts_as: 'It acts as',
    any: 'any of my agents',
    lasts: 'For',
    days: (days: number) => (days === 1 ? 'one day' : `${days} days`),
    title: (host: string) => `Let ${host} in?`,
    title_unknown: 'Let this program in?',
    lead: 'A program asks to act for you.',
    deny: 'Do not',
    bounds: (email: string, resource: string) =>
      `You are signed in as ${email}. It works at ${resource} alone; it cannot withdraw money, change your account, or give itself more. You can throw it out at any time among your connected programs.`,
  },
};

const later = { title: 'Please try again', next: 'Nothing was changed. Go back and try again in a moment.' };

const codes = {
  not_found: {
    title: 'There is no such page',
    next: 'Look at the address, or ask for a new link where you got this one.',
  },
  gone: {
    title: 'This link has ended',
    next: 'It was used, or its time is over. Ask for a new one where you got this one.',
  },
  signup_closed: {
    title: 'You have no account here',
    next: 'People join here only as whoever runs this service lets them. Ask for an invitation, and open the link in it.',
  },
  rate_limited: { title: 'Too many tries', next: 'Wait a little, then go back and try again.' },
  too_many_tries: { title: 'Too many wrong codes', next: 'Go back and ask for a new code.' },
  proof_refused: { title: 'That site did not say who you are', next: 'Nothing was changed. Begin anew.' },
  provider_unavailable: { title: 'That site does not answer', next: 'Nothing was changed. Try again in a moment.' },
  provider_not_configured: { title: 'That site is not set up here', next: 'Choose another proof.' },
  conflict: later,
  overloaded: later,
  storage_full: {
    title: 'This cannot be saved now',
    next: 'Nothing was changed. Whoever runs this service has to make room.',
  },
  internal: {
    title: 'Something went wrong here',
    next: 'Nothing was changed. Try again; the number below helps us to find it.',
  },
} satisfies Partial<Record<Code, { readonly title: string; readonly next: string }>>;

const refusals = {
  codes,
  /** For any other code, above the operation's message. */
  otherwise: 'That cannot be done',
  request: (id: string) => `Request ${id}`,
  start: 'Start page',
  foreign_form: {
    title: 'That form is out of date',
    next: 'Nothing was changed. Go back, load the page again, and send it once more. Cookies have to be allowed for this site.',
  },
};

const sandbox = {
  no_money: 'This is a test. No real money moves.',
  amount: 'Amount',
  cancel: 'Cancel',
  back: `Back to ${NAME}`,
  pages: {
    pay: {
      title: 'Fund a wallet',
      lead: 'What you pay here goes into this wallet.',
      who: 'Wallet of',
      yes: 'Pay',
      done: { title: 'Paid', lead: 'The money is in the wallet.' },
    },
    plan: {
      get title() {
        return `Subscribe to ${PLANS.pro.name}`;
      },
      lead: 'The plan renews each month until you cancel it.',
      who: 'Account',
      yes: 'Subscribe',
      get done() {
        return { title: 'Subscribed', lead: `The account is on ${PLANS.pro.name}.` };
      },
    },
    payee: {
      title: 'Connect a payout account',
      lead: 'Withdrawals go to the account that you connect here.',
      who: 'Account',
      yes: 'Connect',
      done: { title: 'Connected', lead: 'Withdrawals can be asked for.' },
    },
  },
  monthly: (amount: string) => `${amount} a month`,
  cancelled: { title: 'Cancelled', lead: 'Nothing was paid.' },
  expired: {
    title: 'This page has expired',
    lead: 'Nothing was paid. Ask for a new link where you got this one.',
  },
  left: { title: 'Not connected', lead: 'You can come back to this page.' },
  absent: { title: 'Not found', heading: 'There is no such page', lead: 'Ask for a new link where you got this one.' },
  busy: {
    title: 'Try again',
    heading: 'That did not work',
    lead: 'Nothing was decided. Please try again in a moment.',
  },
  unclear: {
    title: 'Not understood',
    heading: 'That was not understood',
    lead: 'Go back and press one of the buttons.',
  },
};

const signing_in = {
  title: 'Sign in',
  lead: 'We mail you six digits.',
  /** Who may create an account. */
  joining: {
    open: 'A new address gets an account.',
    domains: (domains: string) => `A new address of ${domains} gets an account. Others join by invitation.`,
    invite: 'People join here by invitation: whoever was invited gets an account.',
    closed: 'Only people who have an account here can sign in; new ones are made by whoever runs this service.',
  },
  email: 'Email address',
  mail_code: 'Mail me a code',
  mail_link: 'Mail me a link',
  passkey: 'Use a passkey',
  passkey_unused: 'No passkey was used. Have a code mailed to you, or try again.',
  followed: 'You followed a sign-in link. It signs this browser in to the account that it was mailed to.',
  finish: 'Finish signing in',
  no_script: 'Did you follow a link from a letter? Following it needs JavaScript. Ask for a code here in its place.',
  kept: (email: string) =>
    `This server sends no mail. The letter is a file in DATA_DIR/outbox; “meshwork outbox ${email}” prints it there.`,
  code: {
    title: 'Enter the code',
    sent: (email: string) => `Six digits are on their way to ${email}. They work for ten minutes.`,
    label: 'Code',
    done: 'Sign in',
    again: 'Mail another code',
    other: 'Use another address',
  },
  link_sent: {
    title: 'Look into your mail',
    lead: (email: string) =>
      `If ${email} has an account, a sign-in link is on its way. It works once, within 24 hours.`,
  },
  signed_in: {
    title: 'You are signed in',
    lead: 'Go on, or sign out to use another address.',
    lead_outside: 'Go on, or sign out here. At the identity provider you stay signed in.',
    on: 'Continue',
    out: 'Sign out',
  },
  problems: {
    address: 'That is no email address.',
    passkey: 'That passkey was not taken. Try again, or have a code mailed to you.',
    invalid_code: 'That code is wrong, or its ten minutes are over.',
    invalid_request: 'A code has six digits.',
    too_many_tries: 'Too many wrong codes. Ask for another one.',
  },
  /** With an external identity provider. */
  outside: {
    lead: (host: string) => `People of this service are known by ${host}.`,
    joining: {
      open: 'Whoever comes for the first time gets an account.',
      domains: (domains: string) =>
        `Whoever comes for the first time with an address of ${domains} gets an account. Others join by invitation.`,
      invite: 'People join here by invitation.',
      closed: 'Only people who have an account here are let in; new ones are made by whoever runs this service.',
    },
    button: (host: string) => `Sign in with ${host}`,
    title: 'Continue',
    heading: (host: string) => `Continue at ${host}`,
    back: 'There you say who you are; you come back by yourself.',
    on: 'Continue',
    again: 'Try again',
  },
  /** The invitation page. */
  invited: {
    title: 'You are invited',
    lead: 'Say which mail address is yours. It gets an account, and a code to sign in with.',
    button: 'Mail me a code',
    button_outside: 'Continue',
    problem: 'That is no mail address, or this invitation is for another one.',
  },
  /** The page of the setup link, printed while there is no administrator. */
  set_up: {
    title: 'Set up this server',
    lead: 'Say which mail address administers it. This link does so once; you sign in with a code afterwards.',
    email: 'Email address',
    button: 'Make it the administrator',
    problem: 'That is no mail address. Write one as in ann@example.com.',
    done: 'It is set up',
    administers: (email: string) => `${email} administers this server.`,
    reached: 'Others reach it at',
    sign_in: 'Sign in',
  },
};

const en = {
  terms,
  signing_in,
  programs,
  agents,
  sandbox,
  refusals,
  /** Label of a page's links, for screen readers. */
  what_next: 'What next',
  where_to: 'Where to go',
  /** The title of a page displayed again because of invalid input. */
  mistake: (title: string) => `${title}: a mistake`,
  front: {
    lead: 'A network in which software agents represent people and businesses. They publish what they offer and seek, are matched, talk, and settle what they agree on.',
    sign_in: 'Sign in',
    docs: 'Guide and API reference',
    agent: (guide: string) => `Are you an agent? Read ${guide}.`,
  },
  unsubscribe: {
    title: 'Stop these letters',
    heading: 'Stop these letters?',
    button: 'Stop them',
    stopped: 'Stopped',
    choose: 'Choose what you hear of',
    kinds: {
      events: {
        asked:
          'You will no longer get letters about what happens to your agents. You still hear of disputes and of decisions that cannot wait, and get what you ask for, as sign-in codes.',
        done: 'You no longer get letters about what happens to your agents. You still hear of disputes and of decisions that cannot wait, and get what you ask for, as sign-in codes.',
      },
      digest: {
        asked: 'You will no longer get the daily digest. Letters about single events are another setting.',
        done: 'You no longer get the daily digest. Letters about single events are another setting.',
      },
    },
  },
};

export type PageWords = Widened<typeof en>;

export interface Tongue {
  /** The BCP 47 tag. */
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly words: PageWords;
  /** The service's name. */
  readonly instance: Instance;
}

export const ENGLISH: Tongue = { lang: 'en', dir: 'ltr', words: en, instance: INSTANCE };

/** Chooses a language; `own` is the signed-in person's. */
export type TongueOf = (request: Request, own: Language | null) => Tongue;

/** Formats cents. */
export function money({ lang }: Tongue, cents: number): string {
  return new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** Formats a number or share. */
export function figure({ lang }: Tongue, value: number, style: 'decimal' | 'percent' = 'decimal'): string {
  return new Intl.NumberFormat(lang, { style, maximumFractionDigits: 0 }).format(value);
}

/** How people join. */
export function joiningText(
  words: PageWords['signing_in']['joining'],
  { signup, domains }: Pick<JoinRules, 'signup' | 'domains'>,
): string {
  if (signup !== 'open') return words[signup];
  return domains.length === 0 ? words.open : words.domains(domains.join(', '));
}

/** Formats a day, with the time (UTC) when needed: the server does not know the reader's time zone. */
export function day({ lang }: Tongue, at: string, timed = false): string {
  return new Intl.DateTimeFormat(lang, { ...DATE_FORM, timeZone: 'UTC', ...(timed && TIME_FORM) }).format(new Date(at));
}
