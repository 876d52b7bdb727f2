// Matches of a listing draft: requested when typing pauses, stored nowhere.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type Resource, useRead } from '../resource.ts';
import type { Input, Output } from '../server.ts';
import { reasonTexts } from './reasons.tsx';
import { Agent, Score } from './show.tsx';
import { useSettled } from './states.tsx';

type Preview = Output<'match.preview'>;

const PAUSE_MS = 600;

/** Matches of a draft; the last ones stay during a new search. Null requests none. */
export function usePreview(draft: Input<'match.preview'> | null): {
  readonly preview: Resource<Preview>;
  readonly shown: Preview | null;
} {
  const settled = useSettled(JSON.stringify(draft), PAUSE_MS);
  const preview = useRead('match.preview', JSON.parse(settled));
  const last = useRef<Preview | null>(null);
  if (preview.state === 'ready') last.current = preview.value;
  if (preview.state === 'failed' || draft === null) last.current = null;
  return { preview, shown: last.current };
}

type Found = Pick<
  Preview['matches'][number],
  'counterparty_handle' | 'their_listing' | 'score_percent' | 'reason_details' | 'my_side'
>;

/** Reasons displayed per match. */
const REASONS_MAX = 3;

/** Other listings with their match reasons. */
export function FoundList({ of }: { of: readonly Found[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class="found">
      {of.map((match) => (
        <li key={match.their_listing.id}>
          <Score percent={match.score_percent} />
          <div>
            <strong dir="auto">{match.their_listing.headline}</strong>
            <p class="quiet">
              <Agent handle={match.counterparty_handle} /> {reasonTexts(match, REASONS_MAX).join(' · ')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
