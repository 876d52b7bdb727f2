// Faults in what people sign in with, let in and claim: page sessions, the device grant, provisional agents, links of agents.
import type { Fault } from './fault.ts';

const DOOR = 'src/transports/pages/door.ts';
const GRANT = 'src/steps/device/grant.ts';
const PAGES = ['test/transports/page-session.test.ts'];
const DEVICE = ['test/operations/device.test.ts'];
const PROVISION = ['test/operations/provision.test.ts'];
const HANDOFF = ['test/transports/handoff.test.ts'];
const PASSKEYS = ['test/operations/passkey.test.ts'];
const BROWSERS = ['test/operations/browser.test.ts'];
const KEY_WARN = ['test/operations/key-warn.test.ts'];
const SILENCE = ['test/operations/site-recheck.test.ts'];
const SIGN_IN = 'src/operations/session/passkey.ts';

/** Faults on the people's side. */
export const PEOPLE: readonly Fault[] = [
  {
    name: 'the end of a key that is told twice',
    file: 'src/operations/key/warn.ts',
    find: '!told && agent',
    replace: 'agent',
    tests: KEY_WARN,
  },
  {
    name: 'a letter of a key that its person muted',
    file: 'src/operations/key/warn.ts',
    find: 'if (at === null) return',
    replace: 'if (at === 0) return',
    tests: KEY_WARN,
  },
  {
    name: 'a silence that is told at each look',
    file: 'src/operations/trust/watch.ts',
    find: 'silent === told ? [] :',
    replace: 'silent === told && !silent ? [] :',
    tests: SILENCE,
  },
  {
    name: 'a proven agent over which nobody watches',
    file: 'src/steps/claim.ts',
    find: 'watchSilence(agent.id, ctx.now_ms, ctx.now_ms),',
    replace: '',
    tests: SILENCE,
  },
  {
    name: 'a browser that is pushed to for the person who left it',
    file: 'src/operations/browser/subscribe.ts',
    find: '...(known ? removeBrowsers(known.account_id, [known]) : []),',
    replace: "...(known ? [patch('push_subscriptions', known, { hash: known.id })] : []),",
    tests: BROWSERS,
  },
  {
    name: 'pushes to addresses inside the house',
    file: 'src/operations/browser/subscribe.ts',
    find: 'if (problem !== null)',
    replace: "if (problem === '')",
    tests: BROWSERS,
  },
  {
    name: 'a push of what its person has read',
    file: 'src/operations/browser/push.ts',
    find: '!has(seq) && ',
    replace: '',
    tests: BROWSERS,
  },
  {
    name: 'a browser that is gone and pushed to again',
    file: 'src/operations/browser/push.ts',
    find: 'GONE.has(answer.status)) return',
    replace: 'GONE.has(answer.status + 1)) return',
    tests: BROWSERS,
  },
  {
    name: 'a push that is tried again at those who took it',
    file: 'src/operations/browser/push.ts',
    find: 'browser_ids && !browser_ids.includes(row.id) ? null',
    replace: 'browser_ids === null ? null',
    tests: BROWSERS,
  },
  {
    name: 'a challenge of a passkey that is taken twice',
    file: 'src/steps/passkey.ts',
    find: "return mine ? { challenge, effects: [remove('codes', row)] }",
    replace: 'return mine ? { challenge, effects: [] }',
    tests: PASSKEYS,
  },
  {
    name: 'a challenge for a new passkey that any session may answer',
    file: 'src/steps/passkey.ts',
    find: "return use === 'sign_in' ? {} : {",
    replace: 'return use ? {} : {',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey whose device need not know its person',
    file: 'src/outbound/passkey.ts',
    find: 'requireUserVerification: true,\n      // The count',
    replace: 'requireUserVerification: false,\n      // The count',
    tests: PASSKEYS,
  },
  {
    name: 'a copied passkey that goes on signing in',
    file: SIGN_IN,
    find: ' || row.copied_at !== null',
    replace: '',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey’s count that nobody compares',
    file: 'src/domain/identity/passkey.ts',
    find: '&& sent <= stored',
    replace: '&& sent < 0',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey that is taken from pages of any origin',
    file: 'src/outbound/passkey.ts',
    find: 'expectedOrigin: party.origin,\n      expectedRPID: party.id,\n      requireUserVerification: true,\n      // The count',
    replace:
      'expectedOrigin: [party.origin, "https://localhost.evil.example"],\n      expectedRPID: party.id,\n      requireUserVerification: true,\n      // The count',
    tests: PASSKEYS,
  },
  {
    name: 'a passkey of another that anybody may remove',
    file: 'src/operations/passkey/remove.ts',
    find: 'passkey?.account_id !== ctx.account_id',
    replace: '!passkey',
    tests: PASSKEYS,
  },
  {
    name: 'a form of another site is taken',
    file: DOOR,
    find: 'if (fresh || !isOwnOrigin(request, at.ports, at.door)) return foreignFormPage(tongue);',
    replace: 'if (fresh) return foreignFormPage(tongue);',
    tests: PAGES,
  },
  {
    name: 'a form without its token is taken',
    file: DOOR,
    find: "!sameSecret(fields[TOKEN] ?? '', token)",
    replace: '!sameSecret(fields[TOKEN] ?? token, token)',
    tests: PAGES,
  },
  {
    name: 'a form token that every browser shares',
    file: DOOR,
    find: '`page-form:${cookie}`',
    replace: '`page-form:${cookie.length}`',
    tests: PAGES,
  },
  {
    name: 'a page token that anybody can make of the session’s id',
    file: 'src/steps/session/page.ts',
    find: 'sameSecret(token, pageToken(session_id, key))',
    replace: 'token.length > 0',
    tests: PAGES,
  },
  {
    name: 'signing in leads to wherever the form says',
    file: 'src/transports/pages/sign-in.ts',
    find: 'return isFault(next) ? home : next;',
    replace: 'return isFault(next) ? (asked ?? home) : next;',
    tests: PAGES,
  },
  {
    name: 'a device key that is given twice',
    file: GRANT,
    find: "effects: [remove('codes', grant), ...key.effects]",
    replace: 'effects: [...key.effects]',
    tests: DEVICE,
  },
  {
    name: 'what was approved outlives the end of all that lets somebody in',
    file: GRANT,
    find: "state === 'denied' || ended || ",
    replace: "state === 'denied' || ",
    tests: DEVICE,
  },
  {
    name: 'a mailed link outlives the end of all that lets somebody in',
    file: 'src/operations/session/exchange.ts',
    find: "if (!account || (await revokedSince(read, account.id, Number(redeemed.data['asked_at'])))) return fault('gone');",
    replace: "if (!account) return fault('gone');",
    tests: ['test/operations/session-link.test.ts'],
  },
  {
    name: 'polling too fast costs nothing',
    file: GRANT,
    find: 'const slower = interval + SLOW_DOWN_SECONDS;',
    replace: 'const slower = interval;',
    tests: DEVICE,
  },
  {
    name: 'a right code is taken from whoever tried too many',
    file: 'src/operations/device/approve.ts',
    find: 'effects: [...counted, ...decideGrant(found, by, ctx), ...told]',
    replace: 'effects: [...decideGrant(found, by, ctx), ...told]',
    tests: DEVICE,
  },
  {
    name: 'a program is let in as somebody else’s agent',
    file: 'src/operations/device/approve.ts',
    find: 'if (approve && agent_handle !== undefined && !agent) {',
    replace: 'if (approve && agent_handle === undefined && agent) {',
    tests: DEVICE,
  },
  {
    name: 'a lost provisional key goes on working',
    file: 'src/operations/provision/create.ts',
    find: '        ...revokeKeys(keys, ctx.now_ms),\n',
    replace: '',
    tests: PROVISION,
  },
  {
    name: 'an agent is claimed twice',
    file: 'src/operations/provision/verify.ts',
    find: "if (agent.provisional !== 1) return fault('already_claimed');",
    replace: '',
    tests: PROVISION,
  },
  {
    name: 'a claim code that fits every agent',
    file: 'src/steps/provision/code.ts',
    find: 'codeId(`claim:${agent_id}`, email)',
    replace: 'codeId(`claim:${agent_id.length}`, email)',
    tests: PROVISION,
  },
  {
    name: 'a provisional key that outlives the claim',
    file: 'src/steps/provision/claim.ts',
    find: 'Math.min(key.expires_at, ends_at)',
    replace: 'Math.max(key.expires_at, ends_at)',
    tests: PROVISION,
  },
  {
    name: 'an agent with money is cleaned up',
    file: 'src/domain/identity/provision.ts',
    find: "if (talked || funded) return 'stays';",
    replace: "if (talked) return 'stays';",
    tests: PROVISION,
  },
  {
    name: 'a link of an agent is used by anybody',
    file: 'src/operations/handoff/use.ts',
    find: "if (row.data['account_id'] !== ctx.account_id) return fault('not_a_party', NOT_YOURS);",
    replace: '',
    tests: HANDOFF,
  },
  {
    name: 'a link of an agent works twice',
    file: 'src/operations/handoff/use.ts',
    find: "return { reply: { purpose, handle, claimed: false }, effects: [remove('codes', row)] };",
    replace: 'return { reply: { purpose, handle, claimed: false }, effects: [] };',
    tests: HANDOFF,
  },
  {
    name: 'a provisional agent asks for more than to be claimed',
    file: 'src/operations/handoff/link.ts',
    find: "if (ctx.principal.provisional && purpose !== 'onboarding')",
    replace: "if (ctx.principal.provisional && purpose === 'verify')",
    tests: HANDOFF,
  },
  {
    name: 'the successor of a provisional key is fetched twice',
    file: 'src/operations/provision/successor.ts',
    find: "effects: [remove('codes', granted), ...key.effects]",
    replace: 'effects: [...key.effects]',
    tests: HANDOFF,
  },
];
