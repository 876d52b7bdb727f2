// Guarantees of onboarding: the next step is always named, and the questionnaire asks for what the intake takes.
import { describe, expect, test } from 'bun:test';
import { onboarding, type Progress, QUESTIONS, STEPS } from '../../../src/domain/agent/onboarding.ts';
import { isEventKind } from '../../../src/domain/inbox/event.ts';

const progress = (done: string): Progress => ({
  email: done.includes('e'),
  handle: done.includes('h'),
  intake: done.includes('i'),
  verification: done.includes('v'),
});

describe('the next step is the first that is not done', () => {
  test.each([
    ['', 'email', false],
    ['e', 'handle', false],
    ['eh', 'intake', false],
    ['ehv', 'intake', false],
    ['ehi', 'verification', false],
    ['ehiv', null, true],
  ])('after %p it is %p, activated: %p', (done, next_step, activated) => {
    expect(onboarding(progress(done), 'http://x/app')).toMatchObject({ next_step, activated });
  });
});

test('each step says how, where, and whether it is done', () => {
  const { steps } = onboarding(progress('e'), 'https://mesh.example/app');
  expect(steps.map(({ id, done, required }) => [id, done, required])).toEqual([
    ['email', true, true],
    ['handle', false, true],
    ['intake', false, true],
    ['verification', false, true],
  ]);
  for (const step of steps) {
    expect(step.url).toBe(`https://mesh.example/app/onboarding#${step.id}`);
    expect(JSON.stringify(step.how).length).toBeGreaterThan(20);
    expect(step.label).not.toBe('');
  }
  expect(STEPS.length).toBe(4);
});

test('the questionnaire asks for every field of the intake body and insists on offers and seeks', () => {
  expect(QUESTIONS.map(({ id }) => id)).toEqual(
    'display_name headline offers seeks geo industry verification webhook_url wake'.split(' '),
  );
  expect(QUESTIONS.filter(({ required }) => required).map(({ id }) => id)).toEqual(['offers', 'seeks']);
});

test('what may be chosen is what is taken', () => {
  const wake = QUESTIONS.find(({ id }) => id === 'wake');
  const mute = wake?.fields?.find(({ id }) => id === 'mute');
  expect(mute?.options?.every(isEventKind)).toBe(true);
  expect(QUESTIONS.find(({ id }) => id === 'verification')?.options).not.toContain('email');
});
