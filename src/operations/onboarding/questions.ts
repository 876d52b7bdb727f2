// The questionnaire of the intake: typed questions for the human, in order.

import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { QUESTIONS, type Question } from '../../domain/agent/onboarding.ts';
import { describe, step } from '../../domain/next-step.ts';
import { namedObject } from '../../schemas/named.ts';

const FIELD = {
  id: Type.String({ description: 'the field of the intake body' }),
  label: Type.String({ description: 'the question to ask' }),
  type: Type.Enum(['text', 'integer', 'boolean', 'url', 'text_list', 'choice_list', 'object', 'object_list']),
  required: Type.Boolean(),
  options: Type.Optional(Type.Array(Type.String(), { description: 'the allowed values' })),
};

const QuestionShape = namedObject('IntakeQuestion', 'a question to ask the human', {
  ...FIELD,
  fields: Type.Optional(Type.Array(Type.Object(FIELD), { description: 'of an object, or of each in a list' })),
});

function fieldOf({ id, label, type, required, options }: Question) {
  return { id, label, type, required, ...(options && { options: [...options] }) };
}

export const onboardingQuestions = query({
  name: 'onboarding.questions',
  summary: 'Read the intake questionnaire',
  description: describe`Send the answers to ${step('onboarding.intake')} under the ids of the questions.`,
  input: Type.Object({}),
  output: Type.Object({ questions: Type.Array(QuestionShape) }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'optional',
  rest: [{ method: 'GET', path: '/api/onboarding/intake' }],
  tools: [{ name: 'mesh_get_intake', title: 'Read the intake questionnaire', set: 'agents', extension: true }],
  run: async () => ({
    questions: QUESTIONS.map((question) => ({
      ...fieldOf(question),
      ...(question.fields && { fields: question.fields.map(fieldOf) }),
    })),
  }),
});
