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
    notice: (s) => ({
      title: s.words['payout.connected'].title,
      body: s.words['payout.connected'].body(s.handle),
      path: '/payouts',
    }),
  },
  'key.expiring': {
    when: 'an API key ends within a week',
    data: Type.Object({ key_id: ID, prefix: TEXT, expires_at: TIME }),
    author: 'service',
    importance: 'important',
    own_letter: () => true,
    notice: (s) => ({
      title: s.words['key.expiring'].title,
      body: s.words['key.expiring'].body(s.text('prefix'), s.time('expires_at')),
      path: '/keys',
    }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;

function trustNotice(s: EventText): Notice {
  const words = s.words['trust.updated'];
  if (s.data['silent'] === true) return { title: words.silent(s.handle), body: words.unheard, path: '/trust' };
  const title = words.title(s.handle, String(s.data['score'] ?? words.other));
  return { title, body: about(listText(s.data['credentials']), words.body), path: '/trust' };
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
    notice: trustNotice,
  },
  'agent.updated': {
    when: 'the agent was changed',
    data: Type.Object({ fields: Type.Array(TEXT, { description: 'what changed' }) }),
    author: 'self',
    importance: 'normal',
    notice: (s) => ({
      title: s.words['agent.updated'].title(s.handle),
      body: about(listText(s.data['fields']), s.words['agent.updated'].body),
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
    notice: (s) => {
      const { title, some } = s.words['provider.suspended'];
      return { title: title(s.handle, s.text('capability') || some), body: s.text('last_error'), path: '/calls' };
    },
  },
  'listing.reviewed': {
    when: 'the administrators reviewed a listing',
    data: Type.Object({ listing_id: ID, headline: TEXT, approved: Type.Boolean(), status: TEXT, reason: TEXT }),
    author: 'self',
    importance: 'important',
    notice: (s) => ({
      title: s.words['listing.reviewed'][s.data['approved'] === true ? 'approved' : 'refused'],
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
    notice: (s) => ({
      title: s.words['listing.unmatched'].title,
      body: s.text('headline'),
      path: listingPath(s),
    }),
  },
  'test.ping': {
    when: 'the inbox was tested',
    data: Type.Object({ message: TEXT }),
    author: 'self',
    importance: 'normal',
    notice: (s) => ({ title: s.words['test.ping'].title(s.handle), body: s.text('message'), path: '/inbox' }),
  },
} as const satisfies Readonly<Record<string, EventSpec>>;
