// The service's documentation as its own agent searches it: the topics that people ask about, what each operation does, and the documents
// for whoever uses the service. Made at the first question, since most nodes are never asked one.
import readme from '../README.md' with { type: 'text' };
import a2a from './docs/a2a.md' with { type: 'text' };
import matching from './docs/matching.md' with { type: 'text' };
import { withoutAmounts } from './domain/concierge/amount.ts';
import { cutText, markdownPassages } from './domain/concierge/markdown.ts';
import { type Manual, makeManual, PASSAGE_MAX, type Passage } from './domain/concierge/search.ts';
import { TOPICS } from './domain/concierge/topics.ts';
import type { Addresses } from './domain/next-step.ts';
import type { AnyOperation } from './operations/operation.ts';
import { descriptionText, guidanceText } from './schemas/next-step.ts';

/** What tells of the service's own making, and answers nobody who uses it. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  ...['See it', 'Start', 'The map', 'The way of one request', 'Words', 'Read on'],
  ...['The built-in embedder', 'How well it ranks', 'On 2,000 real rows'],
]);

/** What was written for those who ask goes before what was written for those who look up. */
const TOPIC_MERIT = 1.5;

const USED: readonly AnyOperation['access'][] = ['public', 'key', 'session'];

function operationPassages(operations: readonly AnyOperation[], addresses: Addresses): Passage[] {
  const nouns = new Map(operations.map(({ name, noun }) => [noun === undefined ? '' : name.split('.')[0], noun]));
  return operations.flatMap(({ name, access, rest, summary, description = '' }) => {
    const binding = rest.find(({ alias }) => !alias);
    if (!binding || !USED.includes(access)) return [];
    const said = descriptionText(description, addresses, 'http');
    const text = `${summary}: ${binding.method} ${binding.path}. ${said}`;
    // The noun tells what it is about, and is no part of what is quoted.
    const title = `${summary} ${nouns.get(name.split('.')[0]) ?? ''} ${name.replaceAll(/[._]/g, ' ')}`;
    return [{ document: `the API reference (${name})`, title, text, merit: 1 }];
  });
}

/** All passages, as they are quoted. */
export function manualPassages(operations: readonly AnyOperation[], addresses: Addresses): Passage[] {
  const topics = TOPICS.map(({ title, answer }) => ({
    document: 'the service\u2019s guide',
    title,
    text: guidanceText(answer, addresses),
    merit: TOPIC_MERIT,
  }));
  const all = [
    ...topics,
    ...operationPassages(operations, addresses),
    ...markdownPassages('README.md', readme, NOT_FOR_USERS),
    ...markdownPassages('a2a.md', a2a, NOT_FOR_USERS),
    ...markdownPassages('matching.md', matching, NOT_FOR_USERS),
  ];
  return all.map((passage) => ({ ...passage, text: cutText(withoutAmounts(passage.text), PASSAGE_MAX) }));
}

/** The documentation of a service with these operations. */
export function manualOf(operations: readonly AnyOperation[], addresses: Addresses): Manual {
  let made: Manual | null = null;
  return {
    find: (question) => {
      made ??= makeManual(manualPassages(operations, addresses));
      return made.find(question);
    },
  };
}
