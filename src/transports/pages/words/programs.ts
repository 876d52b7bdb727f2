// The words of letting a program in: by the code that it shows, by its own request, and what it may do then.
import type { Scope } from '../../../domain/identity/scope.ts';

/** The rights of keys as a person reads them before agreeing to one. */
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

export const programs = {
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
    /** Where an answer goes that stays on this device. */
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
