// The disclosure corpora, as agents would tell them: in a message that one writes by itself, over several messages, and in what an agent knows
// and may tell. What listings refuse, these do; what is harmless there is harmless here.
import { describe, expect, test } from 'bun:test';
import { saidFault } from '../../../src/domain/negotiation/told.ts';
import { toldFault } from '../../../src/steps/told.ts';
import { type Example, examples, HALVES } from '../../support/disclosure-corpus.ts';

/** Of a hundred evasions so many may pass, of a hundred harmless texts so many may be stopped. More evasions than in listings, since an
 * example whose handle or label tells a part of it has lost that part here. */
const PASSED_MAX = 0.22;
const STOPPED_MAX = 0.02;

const textsOf = ({ input }: Example): string[] =>
  [input.display_name, input.headline, input.description, ...(input.offers ?? []), ...(input.labels ?? [])].filter(
    (text) => text !== undefined,
  );

/** Whether a message of such words is written. */
const isSaid = (texts: readonly string[]): boolean => saidFault(texts.join('\n'), []) === null;

/** Whether words that come in one message after the other are all written. */
function isSaidInTurns(texts: readonly string[]): boolean {
  return texts.every((text, at) => {
    const said = texts.slice(0, at).map((content) => ({ mine: true, content }));
    return saidFault(text, said.reverse()) === null;
  });
}

const isTold = async ([title = '', ...more]: readonly string[]): Promise<boolean> =>
  (await toldFault(more.length > 0 ? title : '', more.length > 0 ? more.join('\n') : title)) === null;

const WAYS = { 'a message': isSaid, 'several messages': isSaidInTurns, 'what is known': isTold } as const;

describe.each([...HALVES])('of the %s half', (half) => {
  // A handle is not something that is written.
  const written = (what: 'evasions' | 'harmless'): string[][] | null =>
    examples(what, half)
      ?.map(textsOf)
      .filter((texts) => texts.length > 0) ?? null;

  test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('private data is in no text of %s', async (way) => {
    const [evasions, harmless] = [written('evasions'), written('harmless')];
    if (!evasions || !harmless) {
      console.warn(`skipped: there is no half of the corpora named ${half}`);
      return;
    }
    const passed: string[][] = [];
    const stopped: string[][] = [];
    for (const texts of evasions) if (await WAYS[way](texts)) passed.push(texts);
    for (const texts of harmless) if (!(await WAYS[way](texts))) stopped.push(texts);
    console.info(
      `${half}, ${way}: ${passed.length} of ${evasions.length} evasions pass, ${stopped.length} of ${harmless.length} harmless texts are stopped`,
    );
    expect(passed.slice(0, Math.floor(evasions.length * PASSED_MAX))).toEqual(passed);
    expect(stopped.slice(0, Math.floor(harmless.length * STOPPED_MAX))).toEqual(stopped);
  });
});
