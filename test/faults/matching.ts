// Faults in matching: what is told of others that is theirs to tell, figures that are not so, and previews that leave something.
import type { Fault } from './fault.ts';

const EXPLAINING = ['test/operations/match-explain.test.ts'];
const PREVIEWING = ['test/operations/match-preview.test.ts'];
const BEST = ['test/operations/match-best.test.ts'];
const ORDER = ['test/operations/match-order.test.ts'];
const MISSING = 'src/domain/match/missing.ts';
const SIGNAL = 'src/domain/match/signal.ts';
const TASTE = 'src/domain/match/taste.ts';
const TASTES = ['test/domain/match/taste.test.ts'];
const TASTING = ['test/operations/match-taste.test.ts'];

export const MATCHING: readonly Fault[] = [
  {
    name: 'a block that shows in what is missing',
    file: MISSING,
    find: "    case 'blocked':\n      return null;",
    replace: "      return null;\n    case 'blocked':",
    tests: EXPLAINING,
  },
  {
    name: 'an open match told as one that better ones displaced',
    file: 'src/matching/explain.ts',
    find: 'if (better >= MATCHES_BEST && !open)',
    replace: 'if (better >= MATCHES_BEST)',
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
  {
    name: 'a taste without a bound',
    file: TASTE,
    find: 'rounded(Math.min(TASTE_MAX, Math.max(-TASTE_MAX, sum)))',
    replace: 'rounded(sum)',
    tests: TASTES,
  },
  {
    name: 'a taste made of the many listings of one account',
    file: TASTE,
    find: 'tally.set(account_id, word);',
    replace: 'tally.set(account_id + tally.size, word);',
    tests: TASTES,
  },
  {
    name: 'a taste as a buyer that is one as a seller',
    file: TASTE,
    find: 'if (held.as !== as) continue;',
    replace: '',
    tests: TASTES,
  },
  {
    name: 'a taste that holds against others what its own listing asks for',
    file: TASTE,
    find: 'part.shift < (down?.shift ?? 0) && !own.has(name)',
    replace: 'part.shift < (down?.shift ?? 0)',
    tests: TASTES,
  },
  {
    name: 'a taste that never fades',
    file: TASTE,
    find: '0.5 ** (Math.max(0, now_ms - at) / HALF_LIFE_MS)',
    replace: '1',
    tests: TASTES,
  },
  {
    name: 'a chip of the price that teaches a taste of labels',
    file: SIGNAL,
    find: "like || said === 'skills' || said === 'not_relevant'",
    replace: "like || said === 'skills' || said === 'not_relevant' || said === 'price'",
    tests: TASTES,
  },
  {
    name: 'a taste that counts a repeated answer twice',
    file: SIGNAL,
    find: 'signals.filter((held) => held.about !== about)',
    replace: '[...signals]',
    tests: TASTES,
  },
  {
    name: 'a taste that a repeated answer makes young again',
    file: SIGNAL,
    find: 'if ((before?.said ?? null) === (signal?.said ?? null)) return signals;',
    replace: 'if (before === undefined && signal === null) return signals;',
    tests: TASTES,
  },
  {
    name: 'a taste of the other side',
    file: 'src/steps/taste.ts',
    find: 'const signals = (await read.peek(tasteById, { id: agent_id }))?.signals ?? [];',
    replace:
      'const [row] = rows; const id = row?.offer_agent_id === agent_id ? row.seek_agent_id : (row?.offer_agent_id ?? ""); ' +
      'const signals = (await read.peek(tasteById, { id }))?.signals ?? [];',
    tests: TASTING,
  },
  {
    name: 'a taste that never ranks the best of a listing',
    file: 'src/matching/fits.ts',
    find: 'leaning === null ? 0 : tasteShift(leaning, own.side, other.side).shift;',
    replace: '0;',
    tests: TASTING,
  },
  {
    name: 'a taste that outlives its reset',
    file: 'src/operations/match/reset-taste.ts',
    find: "effects: taste ? [remove('tastes', taste)] : [],",
    replace: 'effects: [],',
    tests: TASTING,
  },
  {
    name: 'a taste that is ranked by when it is forgotten',
    file: 'src/matching/tastes.ts',
    find: "rows: (_signals, id) => [{ table: 'tastes', id }],",
    replace: 'rows: () => [],',
    tests: TASTING,
  },
  {
    name: 'a taste that keeps a block which was taken back',
    file: 'src/operations/agent/unblock.ts',
    find: '...learnEffects(ctx, { about: aboutAgent(other.id), signal: null, held }),',
    replace: '',
    tests: TASTING,
  },
  {
    name: 'shares of words are cut off and not rounded',
    file: 'src/domain/listing/template-words.ts',
    find: 'const step = Math.round(share / STEP)',
    replace: 'const step = Math.floor(share / STEP)',
    tests: ['test/domain/listing/template-words.test.ts'],
  },
  {
    name: 'template words weigh in full',
    file: 'src/steps/listing/vectors.ts',
    find: 'return wordWeights(row?.shares ?? {});',
    replace: 'return wordWeights(row ? {} : {});',
    tests: ['test/operations/weigh-words.test.ts'],
  },
  {
    name: 'words weigh what they weighed first',
    file: 'src/operations/listing/weigh-words.ts',
    find: "else if (changed.size > 0) effects.push(patch('template_words', row, { shares }));",
    replace: "else if (row.version === 1) effects.push(patch('template_words', row, { shares }));",
    tests: ['test/operations/weigh-words.test.ts'],
  },
  {
    name: 'vectors with words that weigh less are left as they were',
    file: 'src/operations/listing/weigh-words.ts',
    find: 'effects.push(indexListing(row, { model, vector }));',
    replace: 'if (stored.model !== model) effects.push(indexListing(row, { model, vector }));',
    tests: ['test/operations/weigh-words.test.ts'],
  },
  {
    name: 'a work on vectors that was cut off is believed to be done',
    file: 'src/operations/listing/weigh-words.ts',
    find: 'if (changed.size === 0 && !lost) return',
    replace: 'if (changed.size === 0) return',
    tests: ['test/operations/weigh-words.test.ts'],
  },
  {
    name: 'the floor of closeness is typed in',
    file: 'src/outbound/embedder/table.ts',
    find: 'const floor = roundFloor(new Float32Array(buffer, byteOffset + FLOOR_BYTE, 1)[0] ?? 0);',
    replace: 'const floor = roundFloor(0.35);',
    tests: ['test/outbound/closeness-floor.test.ts'],
  },
  {
    name: 'an outside model is held to a floor that is not its own',
    file: 'src/outbound/embedder/endpoint.ts',
    find: 'return floor ?? UNKNOWN_FLOOR;',
    replace: 'return UNKNOWN_FLOOR;',
    tests: ['test/outbound/closeness-floor.test.ts'],
  },
  {
    name: 'who is among the best of those that are level hangs on when it came',
    file: 'src/domain/match/rank.ts',
    find: 'if (a.handle !== b.handle) return a.handle < b.handle ? -1 : 1;',
    replace: '',
    tests: ORDER,
  },
  {
    name: 'a listing that has more than its best keeps them all',
    file: 'src/matching/sheet.ts',
    find: 'if (standing.length <= MATCHES_BEST || !last) return;',
    replace: 'if (standing.length > 0) return;',
    tests: BEST,
  },
  {
    name: 'a match that a side saved holds a place, and loses it',
    file: 'src/domain/match/state.ts',
    find: "return statusAt(match, now_ms) === 'pending' && match.saved_by.length === 0;",
    replace: "return statusAt(match, now_ms) === 'pending';",
    tests: BEST,
  },
  {
    name: "a run that clears the other side's place",
    file: 'src/matching/sheet.ts',
    find: 'taken.now[their_flag] = free && (shared || stands) ? 1 : 0;',
    replace: 'taken.now[their_flag] = free && shared && !stands ? 1 : 0;',
    tests: ORDER,
  },
  {
    name: 'a displaced match whose event still awaits an answer',
    file: 'src/matching/sheet.ts',
    find: "const ended = now.status === 'superseded' ? endAnswers(was) : [];",
    replace: "const ended = now.ended_by === 'unfit' ? endAnswers(was) : [];",
    tests: BEST,
  },
  {
    name: 'a listing told of matches without a bound',
    file: 'src/matching/telling.ts',
    find: 'if (told.before + told.here >= TOLD_MAX) return;',
    replace: '',
    tests: ['test/operations/match.test.ts'],
  },
  {
    name: 'a run that may tell no more and is never gone on with',
    file: 'src/matching/matching.ts',
    find: 'if (!done.stale && (done.full || below !== null)) {',
    replace: 'if (!done.stale && below !== null) {',
    tests: ['test/operations/match.test.ts'],
  },
  {
    name: 'a place that an answer freed stays free',
    file: 'src/operations/match/feedback.ts',
    find: '      ...freedBy(row, me.id, ctx.now_ms),\n',
    replace: '',
    tests: BEST,
  },
];
