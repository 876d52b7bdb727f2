// Signatures of agent cards: the libraries of others find valid what we sign, and nothing that was changed; one card has one
// signature, whoever of the nodes makes it.
import { expect, spyOn, test } from 'bun:test';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { flattenedVerify, importJWK } from 'jose';
import { cardPayload } from '../../src/domain/agent/card.ts';
import { protocolCard } from '../../src/domain/agent/protocol-card.ts';
import { parseSessionKeys } from '../../src/outbound/session/issuer.ts';
import { type CardSigner, createCardSigner } from '../../src/outbound/signature.ts';

const BASE_URL = 'https://mesh.example';
const JKU = `${BASE_URL}/.well-known/jwks.json`;

async function newSigner(): Promise<CardSigner> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return createCardSigner(
    await parseSessionKeys(JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] })),
    JKU,
  );
}

/** A card with as much empty in it as an agent can leave empty. */
const BARE = protocolCard(
  {
    handle: 'ada',
    name: 'Ada',
    description: '',
    documentation_url: `${BASE_URL}/u/ada`,
    skills: [{ id: 's', name: 'Splice', description: '', tags: ['offer', ''] }],
    mesh: { handle: 'ada', labels: [], social_links: { website: null }, trust: { score: 0, credentials: [] } },
  },
  { base_url: BASE_URL, organization: 'Meshwork' },
);

/** Whether the library of the protocol takes a card, by the key that its signature names. */
async function libraryTakes(card: object, signer: CardSigner): Promise<boolean> {
  // It tells what it does not take.
  using _quiet = spyOn(console, 'debug').mockImplementation(() => {});
  const verifier = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(JKU);
    const jwk = signer.jwks().find((key) => key.kid === kid);
    if (!jwk) throw new Error('the key set does not have the key that the signature names');
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  });
  return await verifier(card as AgentCard).then(
    () => true,
    () => false,
  );
}

test('the library of the protocol and jose find our signature valid, and none over a card that was changed', async () => {
  const signer = await newSigner();
  const signatures = signer.sign(BARE);
  const card = { ...BARE, signatures };
  expect(await libraryTakes(card, signer)).toBe(true);
  expect(await libraryTakes({ ...card, description: 'Somebody else' }, signer)).toBe(false);
  expect(await libraryTakes(card, await newSigner())).toBe(false);
  const [made] = signatures;
  const [jwk] = signer.jwks();
  if (!made || !jwk) throw new Error('nothing was signed');
  const payload = Buffer.from(cardPayload(card) ?? '').toString('base64url');
  const { protectedHeader } = await flattenedVerify({ ...made, payload }, await importJWK({ ...jwk }));
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JOSE', kid: jwk.kid, jku: JKU });
});

test('the specification and the libraries, who differ on empty members, read one text out of our card', () => {
  const empty: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (value === '' || value === null) empty.push(path);
    if (typeof value !== 'object' || value === null) return;
    if (Object.keys(value).length === 0) empty.push(path);
    for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`);
  };
  walk(JSON.parse(cardPayload(BARE) ?? ''), 'card');
  expect(empty).toEqual([]);
});

test('signed are the members of protocol 1.0 at every depth, those of older ones and signatures are not', () => {
  const payload = JSON.parse(cardPayload({ ...BARE, signatures: [{}] }) ?? '');
  for (const name of ['url', 'protocolVersion', 'security', 'x-mesh', 'signatures'])
    expect(payload).not.toHaveProperty(name);
  expect(payload.securitySchemes.apiKey).toEqual({ apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } });
  // Required, or told by its presence: kept although it is a default. Otherwise not.
  const odd = {
    name: 'A',
    description: '',
    iconUrl: '',
    documentationUrl: null,
    capabilities: { streaming: false },
    securitySchemes: {},
  };
  expect(cardPayload(odd)).toBe('{"capabilities":{"streaming":false},"description":"","iconUrl":"","name":"A"}');
});

test('one card has one signature, on every node and after every restart, and another card another', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const keys = await parseSessionKeys(JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] }));
  const [one, other] = [createCardSigner(keys, JKU), createCardSigner(keys, JKU)];
  expect(one.sign(BARE)).toEqual(other.sign(BARE));
  // Not made again: the very same.
  expect(one.sign({ ...BARE })).toBe(one.sign(BARE));
  expect(one.sign({ ...BARE, name: 'Eve' })).not.toEqual(one.sign(BARE));
});

test('a card that has no canonical form has no signature', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
  expect((await newSigner()).sign({ name: 'half a \ud800 pair' })).toEqual([]);
  expect(cardPayload(deep)).toBeNull();
});
