// Faults in proofs of accounts elsewhere, and in what deals are worth to trust.
import type { Fault } from './fault.ts';

const FINISH = 'src/operations/trust/finish.ts';
const SITE = 'src/outbound/account-host/oauth-site.ts';
const ARRIVE = 'src/operations/session/arrive.ts';
const OIDC = 'src/outbound/account-host/oidc-client.ts';
const OUTSIDE = ['test/operations/outside-sign-in.test.ts'];
const PARTNERS = 'src/steps/agent/partners.ts';
const PROOFS = ['test/operations/account-proof.test.ts'];
const WORTH = ['test/operations/partners.test.ts'];

export const PROOFS_OF_ACCOUNTS: readonly Fault[] = [
  {
    name: 'an old proof that ties no accounts',
    file: PARTNERS,
    find: 'return claims.filter(({ provider, external_id }) => !marks.has(markOf(provider, external_id, ctx)));',
    replace: 'return marks.size < 0 ? [...claims] : [];',
    tests: WORTH,
  },
  {
    name: 'an answer of a site that counts in any session',
    file: FINISH,
    find: 'session_id !== ctx.principal.credential_id || begun_at',
    replace: 'begun_at',
    tests: PROOFS,
  },
  {
    name: 'an answer of one site that is taken at the address of another',
    file: FINISH,
    find: ' || begun_at !== provider',
    replace: '',
    tests: PROOFS,
  },
  {
    name: 'an answer of a site that counts twice',
    file: FINISH,
    find: "effects: [remove('codes', row)] };",
    replace: 'effects: [] };',
    tests: PROOFS,
  },
  {
    name: 'a code that is traded without its verifier',
    file: SITE,
    find: 'verifier: site.pkce ? verifier : null',
    replace: 'verifier: null',
    tests: PROOFS,
  },
  {
    name: 'a closed account that goes on proving',
    file: SITE,
    find: "if (told.status === 404 || told.status === 410) return 'missing';",
    replace: '',
    tests: PROOFS,
  },
  {
    name: 'an account elsewhere that nobody looks at again',
    file: FINISH,
    find: '...(claim ? [lookLater(claim.id, now.now_ms)] : [])',
    replace: '',
    tests: PROOFS,
  },
  {
    name: 'a proof that nobody can look at and that holds for ever',
    file: 'src/steps/proof/look.ts',
    find: 'failing_since !== null || now_ms - checked_at >= RENEWAL_MS',
    replace: 'failing_since !== null',
    tests: PROOFS,
  },
  {
    name: 'deals with one account that count each',
    file: 'src/domain/agent/track-record.ts',
    find: 'Math.round(100 * Math.min(1, Math.sqrt(cents / WEIGHS_IN_FULL_CENTS)))',
    replace: 'Math.round((100 * cents) / WEIGHS_IN_FULL_CENTS)',
    tests: WORTH,
  },
  {
    name: 'accounts that belong together and raise each other',
    file: PARTNERS,
    find: 'met.filter((each) => !together.has(each.account_id))',
    replace: 'met',
    tests: WORTH,
  },
  {
    name: 'a phone of another agent that ties nobody',
    file: 'src/operations/phone/verify.ts',
    find: "effects: markAgent(agent, 'phone', phone, ctx)",
    replace: 'effects: []',
    tests: WORTH,
  },
  {
    name: 'a deal of cents that weighs',
    file: 'src/domain/agent/track-record.ts',
    find: 'return amount_cents < WEIGHS_FROM_CENTS ? 0 : amount_cents;',
    replace: 'return amount_cents;',
    tests: ['test/operations/related-accounts.test.ts'],
  },
  {
    name: 'a name under a domain that ties nobody',
    file: 'src/steps/agent/partners.ts',
    find: "kind === 'domain' ? registrable(external_id) : external_id",
    replace: 'external_id',
    tests: ['test/operations/related-accounts.test.ts'],
  },
  {
    name: 'a payout account that ties nobody',
    file: 'src/operations/payout/request.ts',
    find: "        markAccount(agent.account_id, 'payee', way.to_address ?? destination.payee, ctx),\n",
    replace: '',
    tests: WORTH,
  },
  {
    name: 'a bank under two payout accounts that ties nobody',
    file: 'src/steps/payee/follow.ts',
    find: '      ...tied(row, now, state, ctx),\n',
    replace: '',
    tests: ['test/operations/stripe-connect.test.ts'],
  },
  {
    name: 'the other side of a tie that keeps its points',
    file: 'src/operations/trust/refresh.ts',
    find: 'met.related.slice(0, OTHERS_MAX) : []',
    replace: '[] : []',
    tests: WORTH,
  },
  {
    name: 'an answer of the identity provider that counts in any browser',
    file: ARRIVE,
    find: "if (!sameSecret(row.data['browser'] ?? '', browser)) return fault('gone');",
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'an address that nobody vouches for and that lets in',
    file: OIDC,
    find: "email_verified === true && typeof email === 'string'",
    replace: "Boolean(email_verified) && typeof email === 'string'",
    tests: OUTSIDE,
  },
  {
    name: 'an account that takes a second person of the same address',
    file: ARRIVE,
    find: "if (account && (await read(outsideOfAccount, { account_id: account.id }))) return fault('credential_in_use', OTHERS);",
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'a token for another client that lets in',
    file: OIDC,
    find: '      audience: client_id,\n',
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'a token of another asking that lets in',
    file: OIDC,
    find: "claims['nonce'] !== nonce || ",
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'people told of in the place of others',
    file: OIDC,
    find: "told.status !== 200 || told.json['sub'] !== claims.sub",
    replace: 'told.status !== 200',
    tests: OUTSIDE,
  },
  {
    name: 'keys that are never read again',
    file: OIDC,
    find: '[KEPT_MS, KEYS_PAUSE_MS]',
    replace: '[KEPT_MS]',
    tests: OUTSIDE,
  },
  {
    name: 'keys that a token makes be read each time',
    file: OIDC,
    find: 'const KEYS_PAUSE_MS = 10_000',
    replace: 'const KEYS_PAUSE_MS = 0',
    tests: OUTSIDE,
  },
  {
    name: 'a document of another issuer that is taken',
    file: OIDC,
    find: "json['issuer'] !== issuer || ",
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'a provider that names itself and is not listened to',
    file: OIDC,
    find: 'iss !== issuer) return',
    replace: 'false) return',
    tests: OUTSIDE,
  },
  {
    name: 'codes that sign in beside the identity provider',
    file: 'src/operations/session/verify.ts',
    find: '  signs_in: true,\n',
    replace: '',
    tests: OUTSIDE,
  },
  {
    name: 'a document that backs two agents by another spelling',
    file: 'src/operations/trust/confirm-identity.ts',
    find: '    .toUpperCase()\n',
    replace: '',
    tests: ['test/operations/identity-check.test.ts'],
  },
  {
    name: 'an act of an administrator that tells no subject',
    file: 'src/pipeline/audit.ts',
    find: " ?? textOf(input['handle'])",
    replace: '',
    tests: ['test/operations/identity-check.test.ts'],
  },
  {
    name: 'listings that stay on the market without a proof',
    file: 'src/steps/claim-look.ts',
    find: '(closes ? [holdListings({ agent_id: agent.id }, ctx.now_ms)] : [])',
    replace: '[]',
    tests: ['test/operations/identity-check.test.ts', 'test/operations/site-recheck.test.ts'],
  },
];
