// What a stranger's card says of how its agent is called, and the canonical text that its signature is made over.
import { describe, expect, test } from 'bun:test';
import { canonicalJson } from '../../../src/domain/agent/canonical-json.ts';
import {
  areKin,
  type CardPlace,
  cardPlaces,
  interfacesOf,
  signedTexts,
  usableInterfaces,
} from '../../../src/domain/agent/foreign-card.ts';

describe('canonical JSON is RFC 8785', () => {
  test.each<[value: unknown, text: string]>([
    // Appendix B and 3.2.3 of the RFC.
    [{ numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27] }, '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}'],
    [{ string: '€$\u000f\nA\'B"\\\\"/' }, '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'],
    [
      { literals: [null, true, false], [String.fromCodePoint(0x1f600)]: 1, '\ufb33': 2 },
      '{"literals":[null,true,false],"😀":1,"\ufb33":2}',
    ],
    [{ '10': 1, '2': 2, b: -0, a: undefined }, '{"10":1,"2":2,"b":0}'],
    [[], '[]'],
  ])('%j', (value, text) => expect(canonicalJson(value)).toBe(text));

  test.each([
    ['half a surrogate pair', { a: '\ud800' }],
    ['half a surrogate pair in a name', { '\ud800': 1 }],
    ['no finite number', [Number.NaN]],
    ['what nests too deep', JSON.parse('['.repeat(40) + ']'.repeat(40))],
  ])('%s has none', (_, value) => expect(canonicalJson(value)).toBeNull());
});

describe('the place of a card', () => {
  test.each<[registered: string, places: string[]]>([
    [
      'https://a.example/',
      ['https://a.example/.well-known/agent-card.json', 'https://a.example/.well-known/agent.json'],
    ],
    [
      'https://a.example/bots/ada',
      [
        'https://a.example/bots/ada/.well-known/agent-card.json',
        'https://a.example/.well-known/agent-card.json',
        'https://a.example/bots/ada/.well-known/agent.json',
        'https://a.example/.well-known/agent.json',
      ],
    ],
    ['https://a.example/ada/card.json', ['https://a.example/ada/card.json']],
  ])('%s', (registered, places) => expect(cardPlaces(registered).map(({ url }) => url)).toEqual(places));
});

const OWN: CardPlace = { url: 'https://a.example/.well-known/agent-card.json', is_hosts: false };

describe('how an agent is called', () => {
  const says = (card: object): string[] =>
    interfacesOf(card as Record<string, unknown>).map(({ url, dialect, binding }) => `${dialect} ${binding} ${url}`);

  test.each<[what: string, card: object, ways: string[]]>([
    [
      '1.0 before 0.3, JSON-RPC before HTTP+JSON, and no gRPC',
      {
        supportedInterfaces: [
          { url: 'r3', protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
          { url: 'g', protocolBinding: 'GRPC', protocolVersion: '1.0' },
          { url: 'h1', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
          { url: 'r1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      },
      ['1.0 JSONRPC r1', '1.0 HTTP+JSON h1', '0.3 JSONRPC r3'],
    ],
    ['a 0.3 card', { protocolVersion: '0.3.0', url: 'u', preferredTransport: 'JSONRPC' }, ['0.3 JSONRPC u']],
    [
      'a 0.3 card that prefers another binding',
      {
        protocolVersion: '0.3.0',
        url: 'u',
        preferredTransport: 'GRPC',
        additionalInterfaces: [
          { url: 'h', transport: 'HTTP+JSON' },
          { url: 'r', transport: 'JSONRPC' },
        ],
      },
      ['0.3 JSONRPC r', '0.3 HTTP+JSON h'],
    ],
    ['the oldest cards', { url: 'u', version: '0.2.0', authentication: {} }, ['0.2 JSONRPC u']],
    ['a version that nobody knows', { url: 'u', protocolVersion: '7.1' }, []],
    ['no address', { name: 'x', supportedInterfaces: 'none' }, []],
  ])('%s', (_, card, ways) => expect(says(card)).toEqual(ways));

  test('of one card no more interfaces are looked at than any needs', () => {
    const many = Array.from({ length: 500 }, () => ({ url: 'u', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
    expect(says({ supportedInterfaces: many }).length).toBe(16);
  });
});

test.each([
  ['https://a.example/x', 'https://a.example:8443/y', true],
  ['https://api.acme.com/x', 'https://acme.com/y', true],
  ['https://ada.github.io/', 'https://eve.github.io/', false],
  ['https://acme.com/', 'https://acme.com.evil.com/', false],
  ['http://127.0.0.1:1/', 'http://127.0.0.2:1/', false],
  ['no address', 'no address', false],
])('%s and %s are kin: %p', (a, b, kin) => expect(areKin(a, b)).toBe(kin));

test('a card can send nobody to a host of another party', () => {
  const way = (url: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
  const card = { supportedInterfaces: [way('https://victim.example/'), way('https://a.example/rpc')] };
  expect(usableInterfaces(card, 'https://a.example/', OWN).map(({ url }) => url)).toEqual(['https://a.example/rpc']);
});

test("the host's own card speaks for an address beneath it only where it names it", () => {
  const root = { ...OWN, is_hosts: true };
  const card = { url: 'https://a.example/ada/', protocolVersion: '0.3.0' };
  expect(usableInterfaces(card, 'https://a.example/ada', root)).toHaveLength(1);
  expect(usableInterfaces(card, 'https://a.example/eve', root)).toEqual([]);
});

test('the signed texts leave out the signatures, and in turn what is empty and what 1.0 does not know', () => {
  const card = { name: 'x', skills: [], url: 'https://a.example', signatures: [{ signature: 's' }] };
  expect(signedTexts(card)).toEqual([
    '{"name":"x","skills":[],"url":"https://a.example"}',
    '{"name":"x","url":"https://a.example"}',
    '{"name":"x","skills":[]}',
    '{"name":"x"}',
  ]);
});
