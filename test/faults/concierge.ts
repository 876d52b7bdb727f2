// Faults in the service's own agent: whose matches it explains, what it says of money, and what of its own grows with those who ask.
import type { Fault } from './fault.ts';

const ASKING = ['test/operations/concierge.test.ts'];
const FINDING = ['test/domain/concierge/answers.test.ts', 'test/domain/concierge/search.test.ts'];
const TOOLS = ['test/transports/mcp/tools.test.ts'];
const SAYING = ['test/domain/concierge/reply.test.ts'];

export const CONCIERGE: readonly Fault[] = [
  {
    name: 'a match of others that the service’s agent explains',
    file: 'src/steps/concierge/answer.ts',
    find: ' || !visibleTo(row, id) || !row.shown_to.includes(id)',
    replace: '',
    tests: ASKING,
  },
  {
    name: 'a price that the service’s agent tells as a reason',
    file: 'src/domain/concierge/reply.ts',
    find: 'if (!namesAmount(reason)) return reason;',
    replace: 'if (reason) return reason;',
    tests: ASKING,
  },
  {
    name: 'an amount that the service’s agent quotes',
    file: 'src/domain/concierge/reply.ts',
    find: 'cutText(withoutAmounts(text), REPLY_MAX)',
    replace: 'cutText(text, REPLY_MAX)',
    tests: SAYING,
  },
  {
    name: 'an inbox of the service’s agent that grows with each question',
    file: 'src/steps/message/post.ts',
    find: '...(isPlatform(reader.id) ? [] : [messageEvent(ctx, row, reader, task_id)]),',
    replace: 'messageEvent(ctx, row, reader, task_id),',
    tests: ASKING,
  },
  {
    name: 'an agent that passes for quick because it answers the service’s',
    file: 'src/steps/message/post.ts',
    find: ' && !isPlatform(reader.id)) {',
    replace: ') {',
    tests: ASKING,
  },
  {
    name: 'a proposal to the service’s agent',
    file: 'src/operations/proposal/propose.ts',
    find: '    if (isPlatform(talk.other.id)) return platformFault();\n',
    replace: '',
    tests: ASKING,
  },
  {
    name: 'a question that the service’s agent answers without its message being read',
    file: 'src/steps/concierge/answer.ts',
    find: 'other_seen: now.opener_sent,',
    replace: 'other_seen: now.other_seen,',
    tests: ASKING,
  },
  {
    name: 'a signature whose verification the service’s agent takes for onboarding',
    file: 'src/domain/concierge/enquiry.ts',
    find: "'verify my agent', ",
    replace: "'verify', 'verify my agent', ",
    tests: ASKING,
  },
  {
    name: 'an address that the service’s agent tells whoever asked by a tool',
    file: 'src/transports/mcp/call-tool.ts',
    find: ', form: ports.form };',
    replace: ' };',
    tests: ASKING,
  },
  {
    name: 'a price of a plan that the service’s agent takes for a bargain',
    file: 'src/steps/concierge/answer.ts',
    find: 'const answer = manual.answer(withoutAmounts(text));',
    replace: 'const answer = { found: null, near: [] };',
    tests: ASKING,
  },
  {
    name: 'a word unknown to the documentation that refuses a question',
    file: 'src/domain/text/word-search.ts',
    find: '(known_worth / Math.max(1, known)) * words.length',
    replace: 'known_worth + (words.length - known) * Math.log(1 + texts.length / 0.5)',
    tests: FINDING,
  },
  {
    name: 'an answer to what the documentation has nothing on',
    file: 'src/domain/concierge/search.ts',
    find: 'sure < SURE_MIN',
    replace: 'sure < 0',
    tests: FINDING,
  },
  {
    name: 'documentation that nobody finds anything in but by its own words',
    file: 'src/domain/concierge/markdown.ts',
    find: "keywords = line.slice(COMMENT.length).replace('-->', '');",
    replace: "keywords = '';",
    tests: FINDING,
  },
  {
    name: 'a misspelt question that nobody puts right',
    file: 'src/domain/text/word-search.ts',
    find: 'return spelling(word) ?? word;',
    replace: 'return word;',
    tests: FINDING,
  },
  {
    name: 'a word of the language that is taken for a misspelt one of the documentation',
    file: 'src/domain/text/word-search.ts',
    find: ' || language.isWord(word)',
    replace: '',
    tests: FINDING,
  },
  {
    name: 'an answer to what is far from its meaning',
    file: 'src/domain/concierge/search.ts',
    find: 'CLOSENESS_WEIGHS * closeness(best)',
    replace: 'CLOSENESS_WEIGHS',
    tests: FINDING,
  },
  {
    name: 'a heading that is named beside the passage under it',
    file: 'src/domain/concierge/search.ts',
    find: '.filter((title) => title !== found.title)',
    replace: '',
    tests: FINDING,
  },
  {
    name: 'a reply that leaves who was misunderstood without a way on',
    file: 'src/domain/concierge/reply.ts',
    find: 'foundText(facts.found, facts.near, door)',
    replace: 'foundText(facts.found, [], door)',
    tests: SAYING,
  },
  {
    name: 'tools that are found by their own words alone',
    file: 'src/transports/mcp/tool-search.ts',
    find: 'keywords: words,',
    replace: "keywords: '',",
    tests: TOOLS,
  },
  {
    name: 'a tool that is found without the right that its caller lacks',
    file: 'src/transports/mcp/meta-tools.ts',
    find: '...(required_scope !== null && { required_scope })',
    replace: '',
    tests: TOOLS,
  },
];
