// Faults in what programs are let do: codes, refresh tokens and addresses that count for more than they should, and consent that is not
// asked for.
import type { Fault } from './fault.ts';

const GRANTED = 'src/steps/oauth/grant-token.ts';
const STANDING = 'src/domain/identity/grant.ts';
const ASKED = 'src/domain/identity/authorization.ts';
const ASKING = 'src/steps/oauth/asking.ts';
const REDIRECTS = 'src/domain/identity/redirect-uri.ts';
const CLIENT = 'src/domain/identity/client.ts';
const CREDENTIAL = 'src/pipeline/client-credential.ts';
const PROGRAM = ['test/operations/program.test.ts'];
const DOCUMENT = ['test/operations/client-document.test.ts'];

const TOKENS_GIVEN: readonly Fault[] = [
  {
    name: 'a code that counts more than once',
    file: GRANTED,
    find: 'if (grant.redeemed_at !== null) return ending(read, grant, ctx);',
    replace: '',
    tests: PROGRAM,
  },
  {
    name: 'a code that any verifier redeems',
    file: GRANTED,
    find: ' || !isVerified(code_verifier, grant.challenge)',
    replace: '',
    tests: PROGRAM,
  },
  {
    name: 'a code that any program redeems',
    file: GRANTED,
    find: 'client_id !== grant.client_id || !sentThere',
    replace: '!sentThere',
    tests: PROGRAM,
  },
  {
    name: 'a refresh token that gives more than was granted',
    file: GRANTED,
    find: 'if ([...wanted].some((name) => !grant.scopes.includes(name))) {',
    replace: 'if (wanted.size < 0) {',
    tests: PROGRAM,
  },
  {
    name: 'a refresh token that any program uses',
    file: GRANTED,
    find: "standing === 'spent' || client_id !== grant.client_id",
    replace: "standing === 'spent'",
    tests: PROGRAM,
  },
  {
    name: 'an old refresh token that ends nothing',
    file: GRANTED,
    find: "if (standing === 'spent' || client_id !== grant.client_id) return ending(read, grant, ctx);",
    replace:
      "if (client_id !== grant.client_id) return ending(read, grant, ctx);\n      if (standing === 'spent') return REFUSED;",
    tests: PROGRAM,
  },
  {
    name: 'a replaced refresh token that is good for ever',
    file: STANDING,
    find: 'at !== undefined && now_ms < at + REPLACED_MS',
    replace: 'n < rotations && at !== undefined',
    tests: PROGRAM,
  },
  {
    name: 'a refresh token that is not looked at for its seal',
    file: 'src/steps/oauth/grant-secret.ts',
    find: 'return sameSecret(token, refreshToken(grant_id, rotation, secrets)) ? { grant_id, rotation } : null;',
    replace: 'return secrets ? { grant_id, rotation } : null;',
    tests: PROGRAM,
  },
  {
    name: 'a token of a program that outlives its grant',
    file: STANDING,
    find: 'redeemed_at !== null && ended_at === null && expires_at > now_ms',
    replace: 'redeemed_at !== null && expires_at > now_ms',
    tests: PROGRAM,
  },
  {
    name: 'a token of a program that acts as any agent',
    file: CREDENTIAL,
    find: 'key_agent_id: grant.agent_id,',
    replace: 'key_agent_id: null,',
    tests: PROGRAM,
  },
  {
    name: 'a stream that outlives the grant of its program',
    file: 'src/pipeline/open-streams.ts',
    find: 'return grant && grant.ended_at === null ? grant.expires_at : 0;',
    replace: 'return grant ? grant.expires_at : 0;',
    tests: ['test/operations/stream-ends.test.ts'],
  },
];

const REQUESTS: readonly Fault[] = [
  {
    name: 'an answer that is sent to an address which is not of the program',
    file: ASKING,
    find: '!program.redirect_uris.some((named) => redirectFits(named, redirect_uri))',
    replace: 'program.redirect_uris.length === 0',
    tests: PROGRAM,
  },
  {
    name: 'an answer that does not say who answers',
    file: ASKING,
    find: 'iss: base_url };',
    replace: 'iss: null };',
    tests: PROGRAM,
  },
  {
    name: 'PKCE by a challenge in the clear',
    file: ASKED,
    find: "if (said.code_challenge_method !== 'S256')",
    replace: "if (!['S256', 'plain', undefined].includes(said.code_challenge_method))",
    tests: PROGRAM,
  },
  {
    name: 'a parameter that stands twice',
    file: ASKED,
    find: 'return another === undefined ? value || undefined : null;',
    replace: 'return another === undefined || value ? value || undefined : null;',
    tests: PROGRAM,
  },
  {
    name: 'rights that only a developer key may hold',
    file: ASKED,
    find: 'const known: readonly string[] = SIGNUP_SCOPES;',
    replace: "const known: readonly string[] = [...SIGNUP_SCOPES, 'payments:write'];",
    tests: PROGRAM,
  },
  {
    name: 'an address of the machine that is only begun so',
    file: REDIRECTS,
    find: '(?::\\d{1,5})?((?:[/?].*)?)$/',
    replace: '(?::\\d{1,5})?(.*)$/',
    tests: PROGRAM,
  },
  {
    name: 'consent by a button that is none',
    file: 'src/transports/pages/consent.ts',
    find: "if (decision !== 'allow' && decision !== 'deny') return show(visit);",
    replace: '',
    tests: PROGRAM,
  },
  {
    name: 'a document that speaks for another address',
    file: CLIENT,
    find: "if (metadata['client_id'] !== client_id) return",
    replace: "if (metadata['client_id'] === 7) return",
    tests: DOCUMENT,
  },
  {
    name: 'a document that is kept though it says no',
    file: CLIENT,
    find: 'if (/(?:^|[\\s,])no-(?:store|cache)(?:$|[\\s,=])/.test(said)) return 0;',
    replace: '',
    tests: DOCUMENT,
  },
  {
    name: 'a program that should prove itself and need not',
    file: CLIENT,
    find: "if (kind === 'document' && method !== undefined && method !== 'none') {",
    replace: "if (kind === 'document' && method === 'always') {",
    tests: DOCUMENT,
  },
];

/** Faults in programs that a person lets in. */
export const PROGRAMS: readonly Fault[] = [...TOKENS_GIVEN, ...REQUESTS];
