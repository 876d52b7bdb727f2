// English. Each screen has its own group; what several screens say stands in `common`.
import { keys, notifications } from './en-account.ts';
import { actions } from './en-actions.ts';
import { accounts, admin } from './en-admin.ts';
import { agents, labels, onboarding } from './en-agents.ts';
import { analytics } from './en-analytics.ts';
import { approvals, turns } from './en-approvals.ts';
import { autopilot } from './en-autopilot.ts';
import { calls } from './en-calls.ts';
import { deals } from './en-deals.ts';
import { demand } from './en-demand.ts';
import { devices } from './en-devices.ts';
import { disputes, escrows } from './en-escrows.ts';
import { inbox } from './en-inbox.ts';
import { knowledge } from './en-knowledge.ts';
import { listings } from './en-listings.ts';
import { checkout, market } from './en-market.ts';
import { conversations, matches } from './en-matches.ts';
import { meetings } from './en-meetings.ts';
import { passkeys } from './en-passkeys.ts';
import { people } from './en-people.ts';
import { billing, payouts, subscriptions } from './en-plan.ts';
import { policies } from './en-policies.ts';
import { earnings, selling } from './en-selling.ts';
import { trust } from './en-trust.ts';
import { wallet } from './en-wallet.ts';
import { webhooks } from './en-webhooks.ts';

export const en = {
  common: {
    app: 'Meshwork',
    skip: 'Skip to the page',
    loading: 'Loading',
    retry: 'Try again',
    more: 'Show more',
    cancel: 'Cancel',
    notNow: 'Not now',
    noAmount: 'This is no amount. Write it as in 1200.50.',
    readAs: (amount: string) => `Read as ${amount}`,
    lacking: 'Something is missing above.',
    close: 'Close',
    save: 'Save',
    saved: 'Saved.',
    yes: 'Yes',
    no: 'No',
    never: 'never',
    none: 'none',
    you: 'You',
    back: 'Back',
    open: 'Open',
    copy: 'Copy',
    copied: 'Copied.',
    busy: 'One moment',
    showTable: 'Show as a table',
    requestId: (id: string) => `Request ${id}`,
    keptMail: (to: string) =>
      `This server sends no mail. The letter is a file in DATA_DIR/outbox; “meshwork outbox ${to}” prints it there.`,
    keptText: (to: string) =>
      `This server sends no text messages. The message is a file in DATA_DIR/outbox; “meshwork outbox ${to}” prints it there.`,
    in: (time: string) => `in ${time}`,
    due: (time: string) => `due ${time}`,
  },
  failed: {
    title: 'This could not be loaded',
    lost: 'No answer came',
    lift: 'Mend it',
    back: 'Back to where you were',
    deed: {
      title: 'This was not done',
      denied: 'You may not do this.',
      absent: 'It is gone meanwhile, or it is not yours.',
      offline: 'You are offline. Do it again once you are back: it is done once.',
    },
    network: 'The service did not answer. Check your connection and try again.',
    offline: 'You are offline. What is shown may be old; it is asked for again once you are back.',
    offlineStart: 'You are offline. The app opens once you are back; nothing of yours is kept on this device.',
    stale: 'This may be out of date: the last time it could not be loaded.',
    denied: 'You have no right to see this.',
    absent: 'There is no such page, or it is not yours.',
    absentNext: 'Go to the start page',
  },
  nav: {
    main: 'Main',
    home: 'Start',
    approvals: 'Approvals',
    matches: 'Matches',
    conversations: 'Conversations',
    inbox: 'Inbox',
    market: 'Marketplace',
    demand: 'Requests',
    calls: 'Calls',
    listings: 'Listings',
    knowledge: 'Knowledge',
    analytics: 'Analytics',
    wallet: 'Wallet',
    deals: 'Deals',
    escrows: 'Escrows',
    subscriptions: 'Subscriptions',
    agents: 'Agents',
    people: 'Directory',
    trust: 'Verifications',
    webhooks: 'Webhooks',
    keys: 'Keys',
    passkeys: 'Passkeys',
    payouts: 'Payouts',
    billing: 'Plan and usage',
    notifications: 'Notifications',
    account: 'Account',
    admin: 'Administration',
    more: 'More',
    actingAs: 'Acting as',
    noAgent: 'No agent yet',
    signOut: 'Sign out',
    unread: (count: string) => `${count} unread`,
    waiting: (count: string) => `${count} waiting`,
  },
  home: {
    title: 'Start',
    waiting: 'Waiting for your answer',
    waitingNone: 'Nothing waits for you. News appear here as they come.',
    onboarding: 'Next step',
    activated: 'Your agent is active: it is matched with others.',
    allSteps: 'All steps',
    figures: 'At a glance',
    balance: 'Balance',
    unread: 'Unread notifications',
    openEscrows: 'Open escrows',
    recent: 'What happened lately',
    recentNone: 'Nothing yet. Publish a listing, and matches will come.',
    createAgent: 'Name your agent',
    createAgentWhy: 'An agent stands for you here. It needs a name of its own.',
  },
  sums: {
    amount: 'Amount',
    to: 'Goes to',
    buyer: { gross: 'You pay', fee: 'Fee in it', net: 'The seller gets' },
    seller: { gross: 'The buyer pays', fee: 'Fee', net: 'You get' },
    either: { gross: 'The buyer pays', fee: 'Fee in it', net: 'The seller gets' },
    byPlan: (fees: string) => `In each price is the fee of the service, by the plan of the seller: ${fees}.`,
    planFee: (percent: string, plan: string) => `${percent} on ${plan}`,
  },
  accounts,
  actions,
  admin,
  agents,
  analytics,
  approvals,
  autopilot,
  policies,
  calls,
  conversations,
  deals,
  demand,
  disputes,
  escrows,
  devices,
  inbox,
  keys,
  knowledge,
  labels,
  listings,
  market,
  checkout,
  selling,
  earnings,
  matches,
  meetings,
  notifications,
  onboarding,
  people,
  passkeys,
  billing,
  payouts,
  subscriptions,
  trust,
  turns,
  wallet,
  webhooks,
} as const;
