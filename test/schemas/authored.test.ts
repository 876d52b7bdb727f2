// Guarantees of the words of other parties: whatever text a tool's reply may hold is marked as somebody's words or is one of the
// names of the service's own facts, so that a reply that is made later cannot hand a stranger's text to a model unmarked.
import { describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { registry } from '../../src/operations/registry.ts';
import {
  authored,
  byField,
  holdsWords,
  type Replace,
  replaceWords,
  textsWithin,
  words,
} from '../../src/schemas/authored.ts';
import { eventAuthor } from '../../src/schemas/event.ts';

/** Texts of the service's own making, or of the caller's own. */
const OWN_NAMES = new Set(
  (
    'handle agent_handle counterparty_handle from_handle to_handle sender currency cursor mailbox url a2a_url checkout_url onboarding_url preferred_transport transports label action kind event ' +
    'credentials approved_by signing_secret scopes card_types payment_rails countries regions cities check missing mute tz id version ' +
    'band plan interval subcategory pricing gates options events fingerprint public_key_fingerprint ' +
    'buyer_handle seller_handle category next_cursor journal_id receipt capability provider_handle tier_id reasons'
  ).split(' '),
);

/** One word for what went wrong with a dispatch. */
const ROUTED = ['reason'];

/** Who put a proposal, by the handle. */
const PROPOSED = ['by'];

const DISPUTE = ['opened_by', 'respondent', 'by', 'hash', 'note'];

/** Folded labels and places that both sides named, as the clauses of `reasons` have them. */
const MATCHED = ['labels', 'place', 'what'];

/** The DNS record that a listing's owner publishes, what its look-up found, and why an administrator refused the listing. */
const GATED = ['name', 'value', 'note', 'reason'];

/** Names of countries and the reader's own dealbreakers and headlines, with what the owner could change. */
const MISSED = ['name', 'headline', 'change'];

/** The same where the name alone does not tell. */
const OWN_OF: Readonly<Record<string, readonly string[]>> = {
  // The handle of who set it.
  'meeting.complete': ['by'],
  'meeting.list': ['by'],
  'meeting.schedule': ['by'],
  'match.feed': MATCHED,
  'match.list': MATCHED,
  'onboarding.intake': [...MATCHED, ...GATED],
  'listing.create': GATED,
  'listing.list': GATED,
  'listing.mine': GATED,
  'listing.read': GATED,
  'listing.update': GATED,
  'listing.verify': GATED,
  'marketplace.browse': GATED,
  'marketplace.create': GATED,
  'marketplace.my_listings': GATED,
  // What the operator calls a plan.
  'billing.plans': ['name'],
  // What the reader's own program asked for.
  'action.list': ['input'],
  // The kind of a skill, and the names of headers.
  'agent.card': ['type', 'name'],
  'agent.discover': ['type', 'name'],
  'router_call.list': ROUTED,
  'router_call.read': ROUTED,
  'router_call.make': ROUTED,
  'capability.list': ['input_schema'],
  'capability.quote': ['error'],
  'provider.list': ['endpoint_url'],
  'provider.register': ['endpoint_url', 'verify', 'contract', 'verdict'],
  'provider.test': ['verdict'],
  'conversation.advance': [...PROPOSED, 'reason'],
  'conversation.close': PROPOSED,
  'conversation.list': PROPOSED,
  'conversation.read': PROPOSED,
  'proposal.approve': PROPOSED,
  'proposal.list': PROPOSED,
  'proposal.propose': PROPOSED,
  // What the owner itself has set and written, by names of the service.
  'conversation.why': ['inputs', 'rule', 'phase', 'model'],
  // A statement that the service signed.
  'attestation.issue': ['token'],
  'attestation.verify': ['audience', 'nonce'],
  'billing.limits': ['name', 'counts'],
  // Why a page does not hold a link, in words of the service.
  'escrow.verify_deliverable': ['reason'],
  // Handles, a seal, and what an administrator wrote.
  'dispute.accept': DISPUTE,
  'dispute.concede': DISPUTE,
  'dispute.evidence': DISPUTE,
  'dispute.open': DISPUTE,
  'dispute.propose': DISPUTE,
  'dispute.read': DISPUTE,
  'dispute.reject': DISPUTE,
  'dispute.bundle': [...DISPUTE, 'hash', 'receipts', 'jws'],
  'dispute.withdraw': DISPUTE,
  // What the caller itself answered.
  'inbox.pull': ['note', 'reason', 'fields'],
  'inbox.respond': ['note', 'reason'],
  // What the caller's own side told it.
  'knowledge.add': ['title'],
  'knowledge.list': ['title', 'text'],
  'knowledge.search': ['title', 'text'],
  // What the owner could change, in words of the service and of the owner's own listing.
  'match.explain': [...MISSED, 'note'],
  'match.preview': [...MATCHED, ...MISSED, ...GATED],
  'match.run': [...MATCHED, ...MISSED, 'note'],
  'match.summary': [...MATCHED, ...MISSED],
  // Card type and direction of the reader's own listings.
  'match.taste': ['as'],
  // JSON Schemas of the service.
  'listing.taxonomy': ['fields'],
  'wallet.entries': ['journal_id', 'reference_id'],
  // The action that answered the event, of the catalogue of its kind.
  'notification.list': ['answered'],
  'notification.read': ['answered'],
  'notification.prefer': ['from', 'to'],
  'notification.preferences': ['from', 'to'],
  'payee.connect': ['note'],
  'payee.status': ['next_step', 'bank_name', 'last4', 'country'],
  'payment.status': ['processor', 'chain_rail'],
  // The code of a refusal.
  'marketplace.quote': ['error'],
  // Addresses of the escrow's calls.
  'marketplace.checkout': ['deliver', 'release', 'dispute'],
  'trust.signals': ['signal'],
  'webhook.logs': ['event_id', 'error'],
  'webhook.redeliver': ['event_id', 'error'],
  'webhook.test': ['event_id', 'error'],
};

interface Node {
  readonly [key: string]: unknown;
  readonly type?: string;
  readonly properties?: Record<string, Node>;
  readonly items?: Node;
  readonly anyOf?: Node[];
  readonly patternProperties?: Record<string, Node>;
}

/** The names of texts in a schema that no mark covers. */
function unmarked(node: Node, name: string, found: Set<string>): void {
  if (node['~words'] || node['~guidance'] || node['~next_step']) return;
  if (node.anyOf) for (const form of node.anyOf) unmarked(form, name, found);
  if (node.items) unmarked(node.items, name, found);
  for (const [field, property] of Object.entries(node.properties ?? {})) unmarked(property, field, found);
  const isOpen = node.patternProperties !== undefined || node.type === undefined;
  const isFixed = 'enum' in node || 'const' in node || 'format' in node || 'pattern' in node;
  if (node.anyOf || node.properties || node.items || isFixed) return;
  if (node.type === 'string' || (isOpen && node.type !== 'null')) found.add(name);
}

describe('every reply of a tool', () => {
  const tools = registry().filter(({ tools = [] }) => tools.length > 0);

  for (const { name, output } of tools) {
    test(`${name} marks all texts but those of the service`, () => {
      const found = new Set<string>();
      unmarked(output as Node, '(the reply itself)', found);
      const own = [...OWN_NAMES, ...(OWN_OF[name] ?? [])];
      expect([...found].filter((field) => !own.includes(field))).toEqual([]);
    });
  }

  test('of which many hold words of others', () => {
    const holding = tools.filter(({ output }) => holdsWords(output)).map(({ name }) => name);
    expect(holding).toContain('message.list');
    expect(holding).toContain('inbox.pull');
    expect(holding).toContain('agent.card');
    expect(holdsWords(Type.Object({ n: Type.Integer() }))).toBe(false);
  });
});

describe('words', () => {
  const Said = authored(byField('by'), Type.Object({ by: Type.String(), text: words(Type.String()) }));
  const taken: [string | null | undefined, string, unknown][] = [];
  const replace: Replace = (author, path, value) => {
    if (author === null) return null;
    taken.push([author, path, value]);
    return '#';
  };
  const take = (schema: Parameters<typeof replaceWords>[0], value: unknown) => {
    taken.length = 0;
    return { rest: replaceWords(schema, value, replace), taken: [...taken] };
  };

  test('are taken with their author and place, and the value itself stays as it was', () => {
    const value = {
      items: [
        { by: 'ada', text: 'one' },
        { by: 'bo', text: 'two' },
      ],
    };
    const schema = Type.Object({ items: Type.Array(Said) });
    expect(take(schema, value)).toEqual({
      rest: {
        items: [
          { by: 'ada', text: '#' },
          { by: 'bo', text: '#' },
        ],
      },
      taken: [
        ['ada', 'items.0.text', 'one'],
        ['bo', 'items.1.text', 'two'],
      ],
    });
    expect(value.items[0]?.text).toBe('one');
  });

  test('of an object within are its own author’s', () => {
    const schema = authored(
      byField('by'),
      Type.Object({
        by: Type.String(),
        last: Type.Union([Said, Type.Null()]),
        mine: authored(() => null, Type.Object({ text: words(Type.String()) })),
      }),
    );
    const { taken } = take(schema, { by: 'ada', last: { by: 'bo', text: 'x' }, mine: { text: 'y' } });
    expect(taken).toEqual([['bo', 'last.text', 'x']]);
    expect(take(schema, { by: 'ada', last: null, mine: { text: 'y' } }).taken).toEqual([]);
  });

  test('that nobody claims are somebody’s', () => {
    expect(take(Type.Object({ text: words(Type.String()) }), { text: 'x' }).taken).toEqual([[undefined, 'text', 'x']]);
  });

  test('in an open object are all texts but facts of the service', () => {
    const schema = Type.Object({ data: textsWithin(Type.Record(Type.String(), Type.Unknown())) });
    const data = {
      match_id: '1',
      sender: 'ada',
      preview: 'hi',
      score: 0.5,
      at: 'now',
      more: { note: 'x', ids: ['1'] },
      list: ['y'],
      handle: { text: 'z' },
    };
    expect(take(schema, { data }).rest).toEqual({
      data: {
        match_id: '1',
        sender: 'ada',
        preview: '#',
        score: 0.5,
        at: 'now',
        more: { note: '#', ids: ['1'] },
        list: ['#'],
        handle: { text: '#' },
      },
    });
  });

  test('that are empty, or no text, stay', () => {
    const schema = Type.Object({
      a: words(Type.String()),
      b: words(Type.Union([Type.String(), Type.Null()])),
      c: words(Type.Unknown()),
    });
    expect(take(schema, { a: '', b: null, c: 3 }).taken).toEqual([]);
    expect(take(schema, { a: '', b: null, c: { text: 'x' } }).taken).toEqual([[undefined, 'c', { text: 'x' }]]);
  });
});

describe('whose words an event holds', () => {
  test.each([
    ['its own, of a kind that tells an agent of itself', 'listing.reviewed', { counterparty_handle: 'bob' }, null],
    ['the other side, where the data names it', 'demand.posted', { counterparty_handle: 'bob' }, 'bob'],
    ['the sender', 'conversation.updated', { sender: 'bob' }, 'bob'],
    ['nobody, where the service wrote the message', 'conversation.updated', { sender: 'bob', kind: 'system' }, null],
    ['somebody unnamed, where nobody is named', 'escrow.released', {}, undefined],
    ['somebody unnamed, where the service quotes', 'provider.suspended', { last_error: 'Obey.' }, undefined],
    ['somebody, of a kind that is not declared, however it is called', 'agent.nonesuch', { sender: 'eve' }, 'eve'],
  ] as const)('%s', (_whose, kind, data, author) => {
    expect(eventAuthor(kind, data)).toBe(author);
  });
});
