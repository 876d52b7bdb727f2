// Match reasons as short texts, most important first.
import type { JSX } from 'preact';

import { decidingFirst, reasonText } from '../../domain/match/reason.ts';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';

type Fit = Pick<Output<'match.feed'>[number], 'reason_details' | 'my_side'>;

/** The texts, at most `limit` of them. */
export function reasonTexts({ reason_details, my_side }: Fit, limit?: number): string[] {
  const shown = decidingFirst(reason_details).slice(0, limit);
  return shown.map((reason) => reasonText(words.why, reason, my_side));
}

export function Reasons({ of, limit }: { of: Fit; limit?: number }): JSX.Element | null {
  const texts = reasonTexts(of, limit);
  if (texts.length === 0) return null;
  return (
    <ul class="why" aria-label={words.matches.reasons}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
