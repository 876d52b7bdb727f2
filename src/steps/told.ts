// Looks for private data in texts as `domain/disclosure` does, and lets others have the event loop between the windows in which
// they are read: a profile, a listing or a page of knowledge may take a tenth of a second in all.
import { matchesIn, readTogether, type Together } from '../domain/disclosure/disclosure.ts';
import { type Disclosable, type Match, refusalOf } from '../domain/disclosure/finding.ts';
import { windowsOf } from '../domain/disclosure/windows.ts';
import type { Fault } from '../domain/fault.ts';
import { toldTexts } from '../domain/negotiation/told.ts';
import { nextRound } from './next-round.ts';

/** The 400 for texts of which one alone holds private data, or null. */
export async function disclosureFault(texts: Iterable<Disclosable>): Promise<Fault<'disclosure_refused'> | null> {
  const found: Match[] = [];
  let begun = false;
  for (const window of windowsOf(texts)) {
    if (begun) await nextRound();
    begun = true;
    found.push(...matchesIn(window));
  }
  return refusalOf(found);
}

/** Private data in texts that are read together; sure only when it is in a text that `isNew`. */
export async function toldTogether(
  texts: readonly Disclosable[],
  isNew: (field: string) => boolean = () => true,
): Promise<Together> {
  const [sure, doubted]: [Match[], Match[]] = [[], []];
  let begun = false;
  for (const window of windowsOf(texts)) {
    if (begun) await nextRound();
    begun = true;
    const told = readTogether(window, isNew);
    sure.push(...told.sure);
    doubted.push(...told.doubted);
  }
  return { sure, doubted };
}

/** The refusal of private data in text that others may be told, also when in doubt: no person reviews it first. */
export async function toldFault(title: string, text: string): Promise<Fault<'disclosure_refused'> | null> {
  const texts = toldTexts(title, text);
  const alone = await disclosureFault(texts);
  if (alone) return alone;
  const { sure, doubted } = await toldTogether(texts);
  return refusalOf([...sure, ...doubted]);
}
