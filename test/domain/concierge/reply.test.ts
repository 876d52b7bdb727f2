// Guards what the service's own agent says: bounded, without amounts, and out of facts alone.
import { describe, expect, test } from 'bun:test';
import { onboarding } from '../../../src/domain/agent/onboarding.ts';
import { namesAmount } from '../../../src/domain/concierge/amount.ts';
import { type Facts, REPLY_MAX, replyOf, sentReply } from '../../../src/domain/concierge/reply.ts';
import type { Reason } from '../../../src/domain/match/reason.ts';
import { guidanceText, UNSAID } from '../../../src/schemas/next-step.ts';

const said = (facts: Facts): string => sentReply(guidanceText(replyOf(facts, 'http'), UNSAID));

const passage = (text: string) => ({
  document: 'a document',
  title: '',
  keywords: '',
  about: '',
  text: { http: text, tools: text },
  merit: 1,
});
const match = (reasons: Reason[]) => ({
  match_id: '0197a000-0000-7000-8000-000000000001',
  counterparty_handle: 'bob',
  score_percent: 86,
  status: 'pending' as const,
  reasons,
});

const ticket: Reason = {
  ...{ code: 'price_within', amount: 'ticket', period: 'once' },
  ...{ price_cents: 500_000, budget_cents: 1_000_000 },
};

describe('a reply', () => {
  test('names no amount, whatever it quotes', () => {
    const found = passage('A day costs $600, a week 2,000 USD; EUR 5 more on Sundays.');
    const reply = said({ about: 'question', found, near: [], guide_url: 'u' });
    expect(reply).toBe('From a document: A day costs an amount a week an amount an amount more on Sundays.');
    expect(namesAmount(said({ about: 'matches', matches: [match([ticket])], found }))).toBe(false);
  });

  test('is bounded, however long what it is made of', () => {
    const long = 'reason after reason '.repeat(1_000);
    const named: Reason = { code: 'shared_labels', labels: [long, long], more: 0 };
    const matches = [1, 2, 3].map(() => match([named, named]));
    expect(said({ about: 'matches', matches, found: null }).length).toBeLessThanOrEqual(REPLY_MAX);
    expect(said({ about: 'question', found: passage(long), near: [], guide_url: 'u' }).length).toBeLessThan(640);
    expect(
      said({ about: 'question', found: passage('\u{1f600}'.repeat(2_000)), near: [], guide_url: 'u' }).isWellFormed(),
    ).toBe(true);
  });

  test('tells of each step that is left how to do it, and of none when all are done', () => {
    const steps = ['email', 'handle', 'intake', 'verification'] as const;
    const progress = { email: false, handle: false, intake: false, verification: false };
    for (const id of steps) {
      const reply = said({ about: 'start', onboarding: onboarding(progress, 'https://app.example') });
      expect(reply).toContain(`https://app.example/onboarding#${id}`);
      progress[id] = true;
    }
    expect(said({ about: 'start', onboarding: onboarding(progress, '') })).toContain('all steps are done');
  });

  test('says that it does not know, and what comes near, where nothing was found', () => {
    const near = ['Why do I get no matches?', 'Buy a plan'];
    const reply = said({ about: 'question', found: null, near, guide_url: 'https://mesh.example/llms.txt' });
    expect(reply).toStartWith('I do not know that: ');
    expect(reply).toContain('“Why do I get no matches?”, “Buy a plan”');
    expect(reply).toContain('https://mesh.example/llms.txt');
  });

  test('names what else may be meant behind what it quotes, and nothing where nothing comes near', () => {
    const found = passage('Ropes are spliced.');
    const both = said({ about: 'question', found, near: ['How do I splice?', 'Buy a rope'], guide_url: 'u' });
    expect(both).toBe('From a document: Ropes are spliced.\n\nNot it? See also “How do I splice?”, “Buy a rope”.');
    expect(said({ about: 'question', found, near: [], guide_url: 'u' })).toBe('From a document: Ropes are spliced.');
  });

  test('to a bargain is always the same', () => {
    expect(said({ about: 'bargain' })).toStartWith('I negotiate nothing, agree to nothing and name no amounts.');
  });
});
