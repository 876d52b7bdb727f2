// The issues of a proposal, and what an owner wants of them, on the wire. Goals are shown to the owner's side alone.
import { type Static, Type } from 'typebox';
import { GOAL_ISSUES, type Goals, WEIGHT_MAX } from '../domain/negotiation/goal.ts';
import { ISSUE_NAMES, type Issue, LICENCES } from '../domain/negotiation/issue.ts';
import { named, namedObject } from './named.ts';
import { Id, nullable } from './wire.ts';

const Value = Type.Union([Type.Integer({ minimum: 0 }), Type.Enum([...LICENCES])], {
  description: 'a whole number, or a licence',
});

export const IssueShape = namedObject('Issue', 'what a proposal says of one issue beside its amount', {
  issue: named('IssueName', Type.Enum([...ISSUE_NAMES])),
  value: Value,
});

export const IssuesInput = Type.Array(IssueShape, {
  maxItems: ISSUE_NAMES.length,
  description: 'what is agreed beside the amount, each issue once',
});

export function issuesView(issues: readonly Issue[]): Static<typeof IssueShape>[] {
  return issues.map(({ issue, value }) => ({ issue, value }));
}

const GOAL = {
  issue: named('GoalIssue', Type.Enum([...GOAL_ISSUES], { description: '`price` is in cents' })),
};
const Weight = Type.Number({ minimum: 0, maximum: WEIGHT_MAX, description: 'how much it counts beside the others' });
const Limit = nullable(Value, 'the last acceptable value; null, for `price` alone: as the bounds say');
const Wish = nullable(Value, 'the value beyond which nothing is gained; null for `price` alone');

export const GoalInput = namedObject('GoalInput', 'what the owner of a listing wants of one issue', {
  ...GOAL,
  limit: Type.Optional(Limit),
  wish: Type.Optional(Wish),
  weight: Type.Optional({ ...Weight, default: 1 }),
});

const GoalShape = namedObject('Goal', 'what the owner of a listing wants of one issue', {
  ...GOAL,
  limit: Limit,
  wish: Wish,
  weight: Weight,
});

export const GoalsShape = namedObject('Goals', 'what the owner of a listing wants; private', {
  listing_id: Id,
  goals: Type.Array(GoalShape),
  set_by: nullable(Type.Enum(['person', 'key']), 'who set them; null for none'),
});

export function goalsView(listing_id: string, goals: Goals | null): Static<typeof GoalsShape> {
  const { issues = [], by_person = false } = goals ?? {};
  const set = issues.map(({ issue, limit, wish, weight }) => ({ issue, limit, wish, weight }));
  return { listing_id, goals: set, set_by: goals === null ? null : by_person ? 'person' : 'key' };
}
