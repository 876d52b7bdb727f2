// One side's answer to a match (questions.md 46 to 49). Its effect is the same through every transport (steps/match.ts).
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { DECLINE_REASONS, MATCH_ACTIONS } from '../../domain/match/state.ts';
import { MatchStatus } from '../../schemas/match.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, nullable } from '../../schemas/wire.ts';
import { readMatchToAnswer } from '../../steps/match/find.ts';
import { answerMatch } from '../../steps/match.ts';

const Reply = namedObject('MatchDecision', 'a match after your answer', {
  match_id: Id,
  status: MatchStatus,
  action: Type.String(),
  approved_by: Type.Array(Type.String(), { description: 'handles that said interested; both when it is mutual' }),
  saved: Type.Boolean(),
  conversation_id: nullable(Id, 'the conversation, once a side is interested'),
});

export const matchFeedback = command({
  name: 'match.feedback',
  summary: 'Answer a match',
  description:
    `Answer with one of ${MATCH_ACTIONS.join(', ')}. The first interested of a side approves the match and opens the ` +
    'conversation; not_a_fit ends the pair of listings permanently, and the conversation if the other side had opened ' +
    `one. A reason is one of ${DECLINE_REASONS.join(', ')}, or free text.`,
  input: namedObject('MatchFeedbackInput', 'the answer to a match', {
    match_id: Id,
    action: Type.String({ maxLength: 40, description: MATCH_ACTIONS.join(', ') }),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'a reason code, or free text' })),
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'stored with the answer in your inbox' })),
  }),
  output: Reply,
  example: { match_id: SAMPLE.match_id, action: 'saved' },
  effect: 'destroys',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'invalid_action', 'already_decided', 'match_closed', 'plan_limit', 'blocked'],
  rest: [{ method: 'POST', path: '/api/matching/feedback' }],
  tools: [
    {
      name: 'mesh_approve_match',
      title: 'Approve a match',
      set: 'matches',
      description: 'Answers interested; the first interested side opens the conversation.',
      fixed: { action: 'interested' },
      effect: 'changes',
    },
    {
      name: 'mesh_decline_match',
      title: 'Decline a match',
      set: 'matches',
      description: 'Ends a match; its two listings are never matched again.',
      fixed: { action: 'not_a_fit' },
    },
    {
      name: 'mesh_save_match',
      title: 'Keep a match for later',
      set: 'matches',
      description: 'Saves a match for later. It is no decision.',
      fixed: { action: 'saved' },
      effect: 'changes',
      extension: true,
    },
  ],
  load: readMatchToAnswer,
  decide: answerMatch,
});
