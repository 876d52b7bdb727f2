// Faults in access tokens of agents: assertions that should not be taken, tokens that open or outlive more than they may.
import type { Fault } from './fault.ts';

const TOKEN = 'src/steps/oauth/client-credentials.ts';
const CLIENT = 'src/pipeline/client-credential.ts';
const ASSERTION = 'src/domain/identity/assertion.ts';
const READING = 'src/steps/oauth/assertion.ts';
const PRINCIPALS = 'src/pipeline/principals.ts';
const PAIR = 'src/steps/key-pair.ts';
const REVOKE = 'src/steps/account/revoke.ts';
const WORTH = ['test/operations/key-pair-worth.test.ts'];
const ASKED = ['test/operations/oauth-token.test.ts'];
const SHOWN = ['test/operations/access-token.test.ts'];

const ASSERTIONS: readonly Fault[] = [
  {
    name: 'an assertion that counts more than once',
    file: TOKEN,
    find: "insert('challenges', { id, agent_id: agent.id, expires_at: assertion.ends_at }, used),",
    replace: '',
    tests: ASKED,
  },
  {
    name: "one agent's jti uses up another's",
    file: TOKEN,
    find: ['`assertion:', '{agent.id}:'].join('$'),
    replace: '`assertion:',
    tests: ASKED,
  },
  {
    name: 'an assertion that anybody signed',
    file: TOKEN,
    find: '!isFault(key) && isSignedBy(signed, key) &&',
    replace: '!isFault(key) &&',
    tests: ASKED,
  },
  {
    name: 'a refused assertion that is not counted',
    file: TOKEN,
    find: 'effects: sendCounters(refusedLimits(ctx.ip), ctx, TOO_MANY)',
    replace: 'effects: []',
    tests: ASKED,
  },
  {
    name: 'an assertion of an agent that was put away',
    file: TOKEN,
    find: ' && agent.deactivated_at === null',
    replace: '',
    tests: ASKED,
  },
  {
    name: 'more scopes than the agent may have',
    file: PAIR,
    find: 'const may = scopesFor(agent.provisional === 1);',
    replace: 'const may = scopesFor(false);',
    tests: ASKED,
  },
  {
    name: 'a key pair with more scopes than what registered it',
    file: PAIR,
    find: 'may.filter((scope) => scopes.includes(scope))',
    replace: 'may',
    tests: WORTH,
  },
  {
    name: 'a key pair that outlives the key that registered it',
    file: PAIR,
    find: '!key || key.revoked_at !== null || key.expires_at <= now_ms || key.account_id',
    replace: '!key || key.account_id',
    tests: WORTH,
  },
  {
    name: 'a key pair that spends beyond the budget of its key',
    file: CLIENT,
    find: 'budget: worth.budget,',
    replace: 'budget: null,',
    tests: WORTH,
  },
  {
    name: 'a key pair that outlives revoke-all',
    file: REVOKE,
    find: 'const set = { ...NO_KEY_PAIR, a2a_url',
    replace: 'const set = { a2a_url',
    tests: WORTH,
  },
  {
    name: "a thief's endpoint that outlives revoke-all",
    file: REVOKE,
    find: '...NO_KEY_PAIR, a2a_url: null,',
    replace: '...NO_KEY_PAIR,',
    tests: ['test/operations/revoke-all.test.ts'],
  },
  {
    name: "a thief's webhook that outlives revoke-all",
    file: REVOKE,
    find: "patch('webhooks', webhook, { active: 0 })",
    replace: "patch('webhooks', webhook, { failure_count: 0 })",
    tests: ['test/operations/revoke-all.test.ts'],
  },
  {
    name: 'a link that a thief made and that outlives revoke-all',
    file: 'src/steps/handoff/link.ts',
    find: "if (await revokedSince(read, row.data['account_id'] ?? '', row.sent_at)) return fault('gone');",
    replace: '',
    tests: ['test/operations/revoke-all.test.ts'],
  },
  {
    name: 'an endpoint by a key that may not read what the endpoint gets',
    file: 'src/operations/agent/update.ts',
    find: 'provisionalFault(input) : null) ?? endpointFault(input, ctx);',
    replace: 'provisionalFault(input) : null);',
    tests: ['test/operations/revoke-all.test.ts'],
  },
  {
    name: 'a demo that locks out whoever runs the service',
    file: 'src/steps/session/code.ts',
    find: "settings.rate_limits && principal.kind !== 'platform'",
    replace: 'settings.rate_limits',
    tests: ['test/operations/code-requests.test.ts'],
  },
  {
    name: 'made-up addresses that lock out who has an account',
    file: 'src/steps/session/code.ts',
    find: 'if (known !== null || !isCounted(ctx))',
    replace: 'if (!isCounted(ctx))',
    tests: ['test/operations/code-requests.test.ts'],
  },
  {
    name: 'an ID token that passes for an access token',
    file: 'src/outbound/account-host/oidc-client.ts',
    find: 'claims.iss === issuer && !ofAsking',
    replace: 'claims.iss === issuer',
    tests: ['test/operations/outside-sign-in.test.ts'],
  },
  {
    name: 'a key pair of an installer that outlives the claim',
    file: 'src/steps/provision/claim.ts',
    find: ' ...NO_KEY_PAIR,',
    replace: '',
    tests: WORTH,
  },
  {
    name: 'an assertion that was made for others too',
    file: ASSERTION,
    find: 'Array.isArray(aud) && aud.length === 1',
    replace: 'Array.isArray(aud)',
    tests: ASKED,
  },
  {
    name: 'an assertion that is good for longer than five minutes',
    file: ASSERTION,
    find: 'exp > now + LIFE_SECONDS + SKEW_SECONDS',
    replace: 'exp > now + 2 * LIFE_SECONDS',
    tests: ASKED,
  },
  {
    name: 'an assertion of the time to come',
    file: ASSERTION,
    find: 'at > now + SKEW_SECONDS',
    replace: 'at > now + LIFE_SECONDS',
    tests: ASKED,
  },
  {
    name: 'a client that is another than the one who signed',
    file: ASSERTION,
    find: 'client_id !== undefined && client_id !== sub',
    replace: 'client_id === sub && client_id === undefined',
    tests: ASKED,
  },
  {
    name: 'claims of which the last counts',
    file: READING,
    find: 'if (names.has(name)) return true;',
    replace: '',
    tests: ASKED,
  },
  {
    name: 'an assertion by another algorithm than it is checked by',
    file: READING,
    find: "header['alg'] !== 'EdDSA' || ",
    replace: '',
    tests: ASKED,
  },
  {
    name: 'a form in which the last field of a name counts',
    file: 'src/transports/body.ts',
    find: "if (named.has(name)) return new Unreadable(invalid({ path: name, message: 'must stand once' }));",
    replace: '',
    tests: ASKED,
  },
  {
    name: "a resource of somebody else's",
    file: 'src/domain/identity/resource.ts',
    find: 'if (!address.startsWith(base_url)) return null;',
    replace: '',
    tests: ASKED,
  },
];

const TOKENS_SHOWN: readonly Fault[] = [
  {
    name: 'a token for one door that opens all',
    file: PRINCIPALS,
    find: 'if (!opens(claims.resource, path)) return null;',
    replace: '',
    tests: SHOWN,
  },
  {
    name: 'a token for a door that opens its neighbour',
    file: 'src/domain/identity/resource.ts',
    find: 'path === own || path.startsWith(',
    replace: 'path.startsWith(own) || path.startsWith(',
    tests: SHOWN,
  },
  {
    name: 'a token that outlives the key that asked for it',
    file: CLIENT,
    find: ' || agent.fingerprint !== fingerprint',
    replace: '',
    tests: SHOWN,
  },
  {
    name: 'a token that is not looked at again in the commit',
    file: CLIENT,
    find: 'under?.id ?? jti,\n    guard,',
    replace: 'under?.id ?? jti,\n    guard: null,',
    tests: SHOWN,
  },
  {
    name: 'a token that acts as any agent of the account',
    file: CLIENT,
    find: 'key_agent_id: agent.id,',
    replace: 'key_agent_id: null,',
    tests: SHOWN,
  },
  {
    name: 'a stream that outlives the key of its token',
    file: 'src/pipeline/open-streams.ts',
    find: ' && agent.fingerprint === guard.fingerprint',
    replace: '',
    tests: SHOWN,
  },
  {
    name: "a session's token that passes for an agent's",
    file: 'src/outbound/session/issuer.ts',
    find: 'if (sid !== undefined || typeof aud',
    replace: 'if (typeof aud',
    tests: SHOWN,
  },
  {
    name: 'a refusal that does not say where tokens come from',
    file: 'src/transports/challenge.ts',
    find: 'const metadata = `resource_metadata=',
    replace: 'const metadata = `realm=',
    tests: ['test/operations/oauth-documents.test.ts'],
  },
];

const COUNTED: readonly Fault[] = [
  {
    name: 'a call of a tool that counts twice to the rate',
    file: 'src/pipeline/pipeline.ts',
    find: 'call.entered || operation.signed ? null : this.#rates.refusal(call, principal)',
    replace: 'operation.signed ? null : this.#rates.refusal(call, principal)',
    tests: ['test/transports/mcp/credentials.test.ts'],
  },
  {
    name: 'what runs no operation and is not counted',
    file: 'src/pipeline/pipeline.ts',
    find: 'const slow = await this.#rates.refusal(visit, principal);',
    replace: 'const slow = principal === undefined ? { refusal: fault("rate_limited") } : null;',
    tests: ['test/transports/mcp/credentials.test.ts'],
  },
];

/** Faults in access tokens of agents, and in how often those who enter a door may. */
export const TOKENS: readonly Fault[] = [...ASSERTIONS, ...TOKENS_SHOWN, ...COUNTED];
