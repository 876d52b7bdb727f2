// Faults in what agents put to each other and take turns by: bounds, approvals, who sees what, whose turn it is.
import type { Fault } from './fault.ts';

const PROPOSALS = ['test/operations/proposal.test.ts'];
const TURNS = ['test/operations/advance.test.ts'];
const PILOT = ['test/operations/autopilot.test.ts'];
const BARGAIN = ['test/domain/negotiation/negotiator.test.ts'];
const RULES = 'src/domain/negotiation/proposal.ts';
const ANSWER = 'src/steps/negotiation/answer.ts';
const PROPOSE = 'src/steps/negotiation/propose.ts';

/** Faults around negotiation. */
export const NEGOTIATION: readonly Fault[] = [
  {
    name: 'a buyer’s bound that is passed by a cent',
    file: RULES,
    find: 'max_pay_cents !== null && amount_cents > max_pay_cents',
    replace: 'max_pay_cents !== null && amount_cents > max_pay_cents + 1',
    tests: PROPOSALS,
  },
  {
    name: 'a program that approves above what its person lets pass',
    file: ANSWER,
    find: "ctx.principal.kind === 'session' ? null : programFault(talk, before)",
    replace: 'null as ReturnType<typeof programFault>',
    tests: PROPOSALS,
  },
  {
    name: 'a proposal outside its own side’s bounds that the other side sees',
    file: PROPOSE,
    find: "row.status === 'withheld' ? withhold(",
    replace: "row.status === 'replaced' ? withhold(",
    tests: PROPOSALS,
  },
  {
    name: 'a withheld proposal that the other side finds by its id',
    file: ANSWER,
    find: "row.status === 'withheld' && row.by_id !== talk.me.id;",
    replace: "row.status === 'withheld' && row.by_id === '';",
    tests: PROPOSALS,
  },
  {
    name: 'limits that a prober reads off the status',
    file: 'src/schemas/conversation.ts',
    find: "status === 'escalated' && escalated_to !== reader_id ? 'open' : status",
    replace: "status === 'escalated' && escalated_to === '' ? 'open' : status",
    tests: PROPOSALS,
  },
  {
    name: 'a proposal that can be approved for ever',
    file: RULES,
    find: "expires_at <= now_ms ? fault('proposal_expired') : null",
    replace: "expires_at < 0 ? fault('proposal_expired') : null",
    tests: PROPOSALS,
  },
  {
    name: 'an older version that is approved in the place of the newer',
    file: ANSWER,
    find: 'meant.version === undefined || meant.version === row.number ? null',
    replace: 'meant.version === undefined || meant.version <= row.number ? null',
    tests: PROPOSALS,
  },
  {
    name: 'a wallet that pays by the word of a program which may not spend',
    file: PROPOSE,
    find: "bounds.set_by_person?.includes('auto_approve_below_cents') === true",
    replace: 'bounds.set_by_person?.length !== -1',
    tests: PROPOSALS,
  },
  {
    name: 'bounds that a program widens by itself',
    file: 'src/operations/agent/bounds.ts',
    find: 'by_person ? null : widened(before, after, known)',
    replace: 'by_person ? null : widened(before, before, known)',
    tests: PROPOSALS,
  },
  {
    name: 'a spending limit that a deal does not know of',
    file: 'src/steps/negotiation/agree.ts',
    find: 'if (per_transaction_cents !== null && amount_cents > per_transaction_cents)',
    replace: 'if (per_transaction_cents !== null && amount_cents < 0)',
    tests: PROPOSALS,
  },
  {
    name: 'a turn out of turn',
    file: 'src/steps/negotiation/course.ts',
    find: "return isMyTurn(course) ? null : fault('not_your_turn');",
    replace: "return isMyTurn(course) || course.turns.length >= 0 ? null : fault('not_your_turn');",
    tests: TURNS,
  },
  {
    name: 'reasons that the other side reads',
    file: 'src/operations/conversation/why.ts',
    find: ' || row.agent_id !== actor(ctx).id',
    replace: " || actor(ctx).id === ''",
    tests: TURNS,
  },
  {
    name: 'reasons that outlive their account',
    file: 'src/steps/account/erase-turns.ts',
    find: 'inputs: {}, bound_distance_cents: null',
    replace: 'inputs: { kept: true }, bound_distance_cents: null',
    tests: TURNS,
  },
  {
    name: 'autopilot that a key switches on',
    file: 'src/operations/agent/update.ts',
    find: "agent.autopilot === 0 && ctx.principal.kind !== 'session'",
    replace: "agent.autopilot === 0 && ctx.principal.kind === 'none'",
    tests: PILOT,
  },
  {
    name: 'autopilot that goes on when it was switched off',
    file: 'src/operations/conversation/take-turn.ts',
    find: 'agent?.autopilot === 1 && agent.deactivated_at === null',
    replace: 'agent !== null && agent.deactivated_at === null',
    tests: PILOT,
  },
  {
    name: 'an offer past its side’s limit',
    file: 'src/domain/negotiation/bargain.ts',
    find: "return side === 'buyer' ? Math.min(whole, limit) : Math.max(whole, limit);",
    replace: "return side === 'buyer' ? whole + DOLLAR : whole - DOLLAR;",
    tests: BARGAIN,
  },
  {
    name: 'a price that is taken though it is worse than the next offer',
    file: 'src/domain/negotiation/bargain.ts',
    find: "return range.side === 'buyer' ? named_cents <= next : named_cents >= next;",
    replace: 'return next > 0 && isWithin(range, named_cents);',
    tests: BARGAIN,
  },
  {
    name: 'a limit that is told by the last offer',
    file: 'src/domain/negotiation/bargain.ts',
    find: 'const MARGIN = [0.003, 0.02] as const;',
    replace: 'const MARGIN = [0, 0] as const;',
    tests: BARGAIN,
  },
  {
    name: 'a limit that the first offer tells to whoever knows the rule',
    file: 'src/domain/negotiation/bargain.ts',
    find: 'const best = Math.floor(limit * between(BUYER_BEGINS, begins));',
    replace: 'const best = Math.floor(limit * between(BUYER_BEGINS, 0.5));',
    tests: BARGAIN,
  },
  {
    name: 'a seller that asks more than it has listed',
    file: 'src/domain/negotiation/bargain.ts',
    find: 'const best = listed ?? Math.ceil(limit * between(SELLER_BEGINS, begins));',
    replace: 'const best = Math.max(listed ?? 0, Math.ceil(limit * between(SELLER_BEGINS, begins)));',
    tests: BARGAIN,
  },
  {
    name: 'terms of a proposal that meet a dealbreaker and are agreed to',
    file: 'src/domain/negotiation/not-for-me.ts',
    find: 'proposal && !proposal.mine ? [proposal.terms] : []',
    replace: 'proposal && proposal.mine ? [proposal.terms] : []',
    tests: BARGAIN,
  },
  {
    name: 'a dealbreaker of both that ends their talk',
    file: 'src/domain/negotiation/not-for-me.ts',
    find: '!sentence.includes(NOT_FOR_ME)',
    replace: "sentence !== ''",
    tests: BARGAIN,
  },
  {
    name: 'parts that lose a cent of the whole',
    file: 'src/domain/negotiation/parts.ts',
    find: 'const cents = is_last ? left :',
    replace: 'const cents = is_last && left < 0 ? left :',
    tests: BARGAIN,
  },
  {
    name: 'a model that may use its caps on each node',
    file: 'src/steps/negotiation/model.ts',
    find: 'return { reply: most, effects: countUse(id, most, ctx.now_ms, MODEL_CAPS) };',
    replace: 'return { reply: modelUse(0, 0, null), effects: [] };',
    tests: ['test/operations/agreement-nodes.test.ts'],
  },
  {
    name: 'a program’s yes that its person has since taken from it',
    file: 'src/steps/negotiation/word.ts',
    find: 'stands: program !== null && lets',
    replace: 'stands: program !== null || lets',
    tests: ['test/operations/proposal-words.test.ts'],
  },
  {
    name: 'a deal that is paid past the budget of the key which agreed to it',
    file: 'src/steps/negotiation/agree.ts',
    find: '(word?.budget ?? null)',
    replace: 'null',
    tests: ['test/operations/proposal-words.test.ts'],
  },
  {
    name: 'a withheld proposal that takes an open one from the other side',
    file: 'src/steps/negotiation/propose.ts',
    find: "return status === 'withheld' ? by_id === by.by_id : by.status === 'open';",
    replace: "return status === 'withheld' || by.status !== 'open' ? by_id === by.by_id : true;",
    tests: ['test/operations/proposal-words.test.ts'],
  },
  {
    name: 'an expired proposal that holds a talk up for ever',
    file: 'src/steps/negotiation/course.ts',
    find: 'row.escalated_to === escalated_to && row.expires_at > now_ms',
    replace: 'row.escalated_to === escalated_to',
    tests: ['test/operations/proposal-words.test.ts'],
  },
  {
    name: 'private data that is told in doubt',
    file: 'src/domain/negotiation/told.ts',
    find: 'refusalOf([...sure, ...doubted]',
    replace: 'refusalOf([...sure]',
    tests: ['test/domain/negotiation/told.test.ts'],
  },
  {
    name: 'a stranger’s words that are all read, however many',
    file: 'src/domain/negotiation/heard.ts',
    find: 'left -= content.length;',
    replace: 'left -= 0;',
    tests: BARGAIN,
  },
];
