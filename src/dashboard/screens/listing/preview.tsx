// Whom a listing would meet as it stands in the form: asked for whenever one pauses, stored nowhere.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Score } from '../../parts/score.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Agent, Section } from '../../parts/show.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useRead } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { type Draft, inputOf } from './draft.ts';
import { Gates, Lacks } from './gates.tsx';

type Preview = Output<'match.preview'>;

const PAUSE_MS = 600;

function Shown({ of: { matches, completeness, gate_report, note } }: { of: Preview }): JSX.Element {
  const { listings } = words;
  return (
    <>
      {completeness.complete ? <p class="free">{listings.previewComplete}</p> : <Lacks of={completeness} />}
      {note !== null && <p class="quiet">{note}</p>}
      {note === null && matches.length === 0 && <p class="quiet">{listings.previewNone}</p>}
      <ul class="found">
        {matches.map(({ counterparty_handle, their_listing, score_percent, reasons }) => (
          <li key={their_listing.id}>
            <Score percent={score_percent} />
            <div>
              <strong dir="auto">{their_listing.headline}</strong>
              <p class="quiet">
                <Agent handle={counterparty_handle} /> {reasons.join('; ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Gates of={gate_report} />
    </>
  );
}

/** The matches of the draft; while others are looked for, the last ones stay. */
export function PreviewPart({ draft }: { draft: Draft }): JSX.Element {
  const { listings } = words;
  const settled = useSettled(draft, PAUSE_MS);
  const preview = useRead('match.preview', inputOf(settled));
  const last = useRef<Preview | null>(null);
  if (preview.state === 'ready') last.current = preview.value;
  return (
    <Section title={listings.preview}>
      <p class="quiet">{listings.previewLead}</p>
      <div aria-live="polite" aria-busy={preview.state === 'loading'}>
        {preview.state === 'failed' && <Failure error={preview.error} />}
        {preview.state === 'loading' && last.current ? (
          <Shown of={last.current} />
        ) : (
          preview.state !== 'failed' && <Loaded of={preview}>{(of) => <Shown of={of} />}</Loaded>
        )}
      </div>
    </Section>
  );
}
