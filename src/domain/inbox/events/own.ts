// Event kinds about the agent itself: its credentials, its trust, its listings and its capabilities.
import { Type } from 'typebox';
import { about, type EventSpec, type EventText, ID, listText, type Notice, TEXT, TIME } from './spec.ts';

export const CREDENTIALS = {
  'payout.connected': {
    when: 'a payout account was connected',
    data: Type.Object({ processor: TEXT }),
    author: 'service',
    importance: 'important',
    own_letter: () => true,
    title: 'A payout account was connected',
    notice: (s) => ({
      title: 'A payout account was connected',
      body: `${s.handle} asked for it. If that was not you, revoke its key.`,
      path: '/payouts',
    }),
  },
  'key.expiring': {
    when: 'an API key ends within a week',
    data: Type.Object({ key_id: ID, prefix: TEXT, expires_at: TIME }),
    author: 'service',
    importance: 'important',
    own_letter: () => true,
    title: 'An API key ends soon',
    notice: (s) => ({
      title: 'An API key ends soon',
      body: `${s.text('prefix')}… works until ${s.time('expires_at')}. Its program can renew it until then.`,
      path: '/keys',
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

function trustNotice(s: EventText): Notice {
  if (s.data['silent'] === true) {
    return {
      title: `The badges of ${s.handle} are marked failing`,
      body: 'Nothing was heard of it for 14 days. They hold again once it is back.',
      path: '/trust',
    };
  }
  return {
    title: `The trust score of ${s.handle} is now ${s.data['score'] ?? 'another'}`,
    body: about(listText(s.data['credentials']), (credentials) => `Proven: ${credentials}`),
    path: '/trust',
  };
}

export const STANDING = {
  'trust.updated': {
    when: 'the trust score or the proven credentials changed',
    data: Type.Object({
      score: Type.Number(),
      credentials: Type.Array(TEXT),
      silent: Type.Optional(Type.Literal(true, { description: 'the agent was not seen for 14 days' })),
    }),
    author: 'self',
    importance: 'normal',
    title: 'Your standing changed',
    notice: trustNotice,
  },
  'agent.updated': {
    when: 'the agent was changed',
    data: Type.Object({ fields: Type.Array(TEXT, { description: 'what changed' }) }),
    author: 'self',
    importance: 'normal',
    title: 'Your agent was changed',
    notice: (s) => ({
      title: `The profile of ${s.handle} has changed`,
      body: about(listText(s.data['fields']), (fields) => `Changed: ${fields}`),
      path: `/agents/${s.handle}`,
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

const listingPath = (s: EventText): string => `/listings/${s.text('listing_id')}`;

export const UPKEEP = {
  'provider.suspended': {
    when: 'a capability failed five times in a row and is called no longer',
    data: Type.Object({ capability: TEXT, last_error: TEXT, provider_id: ID }),
    author: 'service',
    importance: 'important',
    title: 'A capability is suspended',
    notice: (s) => ({
      title: `${s.handle} is no longer called for ${s.text('capability') || 'a capability'}`,
      body: s.text('last_error'),
      path: '/calls',
    }),
  },
  'listing.reviewed': {
    when: 'the administrators reviewed a listing',
    data: Type.Object({ listing_id: ID, headline: TEXT, approved: Type.Boolean(), status: TEXT, reason: TEXT }),
    author: 'self',
    importance: 'important',
    title: 'A listing was reviewed',
    notice: (s) => ({
      title: s.data['approved'] === true ? 'Your listing was approved' : 'Your listing was refused',
      body: s.text('headline'),
      path: listingPath(s),
    }),
  },
  'listing.unmatched': {
    when: 'nothing fits a listing yet',
    data: Type.Object({
      listing_id: ID,
      headline: TEXT,
      considered: Type.Integer(),
      missing: Type.Array(Type.Object({ rule: TEXT, count: Type.Integer(), change: TEXT })),
    }),
    author: 'self',
    importance: 'normal',
    title: 'Nothing fits a listing yet',
    notice: (s) => ({ title: 'Nothing fits your listing yet', body: s.text('headline'), path: listingPath(s) }),
  },
  'test.ping': {
    when: 'the inbox was tested',
    data: Type.Object({ message: TEXT }),
    author: 'self',
    importance: 'normal',
    title: 'A test event',
    notice: (s) => ({ title: `A test event for ${s.handle}`, body: s.text('message'), path: '/inbox' }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;
