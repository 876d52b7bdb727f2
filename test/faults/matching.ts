// Faults in matching: what is told of others that is theirs to tell, figures that are not so, and previews that leave something.
import type { Fault } from './fault.ts';

const EXPLAINING = ['test/operations/match-explain.test.ts'];
const PREVIEWING = ['test/operations/match-preview.test.ts'];
const MISSING = 'src/domain/match/missing.ts';

export const MATCHING: readonly Fault[] = [
  {
    name: 'a block that shows in what is missing',
    file: 'src/matching/explain.ts',
    find: "return other.part === 'both' && !this.#apart.has(other.agent.id);",
    replace: "return other.part === 'both';",
    tests: EXPLAINING,
  },
  {
    name: 'figures of an agent that is in no public list',
    file: MISSING,
    find: "return visibility === 'listed';",
    replace: "return visibility !== 'hidden';",
    tests: EXPLAINING,
  },
  {
    name: 'a place told as enough where the price is too high as well',
    file: MISSING,
    find: 'if (refused !== null || !isPublic(other)) return { rule };\n  // To share',
    replace: 'if (!isPublic(other)) return { rule };\n  // To share',
    tests: EXPLAINING,
  },
  {
    name: 'the greatest step told as the nearest',
    file: 'src/domain/match/missing-text.ts',
    find: 'gaps[Math.ceil(gaps.length / 2) - 1]',
    replace: 'gaps[gaps.length - 1]',
    tests: EXPLAINING,
  },
  {
    name: 'a preview that shows more matches than the month has left',
    file: 'src/operations/match/preview.ts',
    find: 'Math.min(SHOWN_MAX, allowance.left ?? SHOWN_MAX)',
    replace: 'SHOWN_MAX',
    tests: PREVIEWING,
  },
  {
    name: 'a preview of what is refused at its creation',
    file: 'src/operations/match/preview.ts',
    find: 'if (refused) return refused;',
    replace: '',
    tests: PREVIEWING,
  },
];
