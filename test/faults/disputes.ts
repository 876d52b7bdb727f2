// Faults in disputes: who may do what and until when, what a settlement takes, how evidence is sealed, and what a dispute counts for.
import type { Fault } from './fault.ts';

const TABLE = 'src/domain/escrow/dispute.ts';
const EVIDENCE = 'src/steps/dispute/evidence.ts';
const SETTLE = 'src/steps/escrow/settle.ts';
const RULES = ['test/domain/escrow/dispute.test.ts'];
const SCENARIOS = ['test/operations/dispute.test.ts'];

const PHASES: readonly Fault[] = [
  {
    name: 'an answer to a dispute at the instant at which it was decided',
    file: TABLE,
    find: 'const isOver = now_ms >= respond_by;',
    replace: 'const isOver = now_ms > respond_by;',
    tests: RULES,
  },
  {
    name: 'a dispute that was answered and is decided for its opener',
    file: TABLE,
    find: "return isOver ? 'late' : 'responded';",
    replace: "return isOver ? 'overdue' : 'responded';",
    tests: RULES,
  },
  {
    name: 'a withdrawal by the respondent',
    file: TABLE,
    find: "if (action === 'withdraw' && role !== 'opener')",
    replace: "if (action === 'withdraw' && role === null)",
    tests: RULES,
  },
  {
    name: 'a respondent who still answers after the deadline',
    file: TABLE,
    find: "const mayConcede = action === 'concede' && role === 'respondent';",
    replace: "const mayConcede = action !== 'withdraw' && role === 'respondent';",
    tests: RULES,
  },
  {
    name: 'an opener who gives in what time has decided',
    file: TABLE,
    find: "const mayConcede = action === 'concede' && role === 'respondent';",
    replace: "const mayConcede = action === 'concede' && role !== null;",
    tests: RULES,
  },
  {
    name: 'evidence after its window',
    file: TABLE,
    find: "if (phase === 'late' && action === 'evidence')",
    replace: "if (phase === 'late' && action === 'withdraw')",
    tests: RULES,
  },
  {
    name: 'an ended dispute that is settled again',
    file: TABLE,
    find: "if (phase === 'ended') return",
    replace: "if (phase === 'ended' && action !== 'accept') return",
    tests: RULES,
  },
  {
    name: 'a respondent with an hour less',
    file: TABLE,
    find: 'RESPOND_MS = 72 * 3_600_000',
    replace: 'RESPOND_MS = 71 * 3_600_000',
    tests: SCENARIOS,
  },
  {
    name: 'an answer that does not count as one',
    file: 'src/steps/dispute/respond.ts',
    find: "if (role === 'opener' || dispute.status !== 'open')",
    replace: "if (role === 'respondent' || dispute.status !== 'open')",
    tests: SCENARIOS,
  },
  {
    name: 'an opener’s key that may not spend',
    file: 'src/steps/dispute/find.ts',
    find: "const required_scope = role === 'opener' ? 'payments:write' : 'deals:write';",
    replace: "const required_scope = 'deals:write';",
    tests: SCENARIOS,
  },
  {
    name: 'a respondent’s key that may not spend, and concedes',
    file: 'src/operations/dispute/concede.ts',
    find: "scope: 'payments:write',",
    replace: "scope: 'deals:write',",
    tests: SCENARIOS,
  },
];

const SPLITS: readonly Fault[] = [
  {
    name: 'a settlement that leaves something over',
    file: TABLE,
    find: 'if (refund_cents + release_cents === unreleased_cents) return null;',
    replace: 'if (refund_cents + release_cents <= unreleased_cents) return null;',
    tests: RULES,
  },
  {
    name: 'a side that accepts its own proposal',
    file: TABLE,
    find: "if (proposal.by === agent_id) return fault('own_proposal');",
    replace: '',
    tests: RULES,
  },
  {
    name: 'an acceptance of other amounts of the same sum',
    file: TABLE,
    find: 'proposal.refund_cents === refund_cents && proposal.release_cents === release_cents',
    replace: 'proposal.refund_cents + proposal.release_cents === refund_cents + release_cents',
    tests: RULES,
  },
  {
    name: 'an acceptance that echoes one amount',
    file: TABLE,
    find: 'proposal.refund_cents === refund_cents && proposal.release_cents === release_cents',
    replace: 'proposal.refund_cents === refund_cents',
    tests: RULES,
  },
  {
    name: 'an acceptance that settles by the opener’s wish',
    file: 'src/operations/dispute/accept.ts',
    find: "resolveDispute(ctx, found, 'settled', split)",
    replace: "resolveDispute(ctx, found, 'settled', { refund_cents: release_cents, release_cents: refund_cents })",
    tests: SCENARIOS,
  },
  {
    name: 'who gives in gets all',
    file: 'src/operations/dispute/concede.ts',
    find: 'allTo(otherSide(side), dispute.unreleased_cents)',
    replace: 'allTo(side, dispute.unreleased_cents)',
    tests: SCENARIOS,
  },
  {
    name: 'an unanswered dispute that is the buyer’s, whoever opened it',
    file: 'src/operations/dispute/expire.ts',
    find: 'allTo(openerSide(found), found.dispute.unreleased_cents)',
    replace: "allTo(openerSide(found) && 'buyer', found.dispute.unreleased_cents)",
    tests: SCENARIOS,
  },
  {
    name: 'a ruling on a part of what is unreleased',
    file: 'src/operations/dispute/rule.ts',
    find: "disputeFault(phaseAt(dispute, ctx.now_ms), 'rule', null) ?? splitFault(split, dispute.unreleased_cents)",
    replace:
      "disputeFault(phaseAt(dispute, ctx.now_ms), 'rule', null) ?? splitFault(split, refund_cents + release_cents)",
    tests: SCENARIOS,
  },
];

const WORDS: readonly Fault[] = [
  {
    name: 'a seal that does not hold the one before it',
    file: EVIDENCE,
    find: 'JSON.stringify([previous, by, statement, links, created_at])',
    replace: 'JSON.stringify([previous && by, statement, links, created_at])',
    tests: SCENARIOS,
  },
  {
    name: 'a seal that does not hold who said it',
    file: EVIDENCE,
    find: 'JSON.stringify([previous, by, statement, links, created_at])',
    replace: 'JSON.stringify([previous, by && statement, links, created_at])',
    tests: SCENARIOS,
  },
  {
    name: 'a chain of seals that always begins anew',
    file: EVIDENCE,
    find: 'sealOf(dispute.evidence_hash || dispute.id, piece)',
    replace: 'sealOf(dispute.id, piece)',
    tests: SCENARIOS,
  },
  {
    name: 'evidence that says nothing',
    file: TABLE,
    find: "if (statement.trim() === '' && links.length === 0)",
    replace: "if (statement === '' && links.length === 0)",
    tests: RULES,
  },
  {
    name: 'evidence of one side that uses up the room of the other',
    file: 'src/operations/dispute/evidence.ts',
    find: 'evidence.filter(({ by }) => by === actor(ctx).id).length',
    replace: 'evidence.length',
    tests: SCENARIOS,
  },
  {
    name: 'a proposal more than a side has',
    file: 'src/operations/dispute/propose.ts',
    find: 'PROPOSALS_MAX, TOO_MANY)',
    replace: 'PROPOSALS_MAX + 1, TOO_MANY)',
    tests: SCENARIOS,
  },
];

const COUNTS: readonly Fault[] = [
  {
    name: 'a fourth dispute of one escrow',
    file: TABLE,
    find: 'OPENINGS_MAX = 3',
    replace: 'OPENINGS_MAX = 4',
    tests: SCENARIOS,
  },
  {
    name: 'a side that uses up the disputes of the other',
    file: 'src/operations/dispute/open.ts',
    find: 'count(`disputes:${escrow.id}:${opened_by}`, OPENINGS_MAX',
    replace: 'count(`disputes:${escrow.id}:${opened_by && 1}`, OPENINGS_MAX',
    tests: SCENARIOS,
  },
  {
    name: 'a dispute of what is disputed',
    file: 'src/operations/dispute/open.ts',
    find: 'const refusal = activeFault(escrow.status);',
    replace: "const refusal = escrow.status === 'disputed' ? null : activeFault(escrow.status);",
    tests: SCENARIOS,
  },
  {
    name: 'a settled dispute that counts for nobody',
    file: SETTLE,
    find: "...(by === 'dispute' && { disputes_settled: now.disputes_settled + 1 }),",
    replace: '',
    tests: SCENARIOS,
  },
  {
    name: 'a disputed deal that is a sign of trust',
    file: SETTLE,
    find: "const signals = completed && by !== 'dispute';",
    replace: 'const signals = completed;',
    tests: SCENARIOS,
  },
];

/** Faults in what becomes of disputed money. */
export const DISPUTES: readonly Fault[] = [...PHASES, ...SPLITS, ...WORDS, ...COUNTS];
