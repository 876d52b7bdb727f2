// Whom a listing would meet as it stands in a form: asked for whenever one pauses, stored nowhere.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type Resource, useRead } from '../resource.ts';
import type { Input, Output } from '../server.ts';
import { reasonTexts } from './reasons.tsx';
import { Agent, Score } from './show.tsx';
import { useSettled } from './states.tsx';

type Preview = Output<'match.preview'>;

const PAUSE_MS = 600;

/** The matches of a draft; while others are looked for, the last ones stay. Null asks for none. */
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

/** As many reasons as are read at a glance. */
const REASONS_MAX = 3;

/** Listings of others with what speaks for them. */
export function FoundList({ of }: { of: readonly Found[] }): JSX.Element {
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
