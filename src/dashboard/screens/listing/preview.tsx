// Beside the form of a listing: whom it would meet, and what it lacks to go live.
import type { JSX } from 'preact';
import { FoundList, usePreview } from '../../parts/preview.tsx';
import { Section } from '../../parts/show.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import { type Draft, inputOf } from './draft.ts';
import { Gates, Lacks } from './gates.tsx';

function Shown({
  of: { matches, completeness, gate_report, note_code },
}: {
  of: Output<'match.preview'>;
}): JSX.Element {
  const { listings } = words;
  return (
    <>
      {completeness.complete ? <p class="free">{listings.previewComplete}</p> : <Lacks of={completeness} />}
      {note_code !== null && <p class="quiet">{listings.previewNotes[note_code]}</p>}
      {note_code === null && matches.length === 0 && <p class="quiet">{listings.previewNone}</p>}
      <FoundList of={matches} />
      <Gates of={gate_report} />
    </>
  );
}

export function PreviewPart({ draft }: { draft: Draft }): JSX.Element {
  const { listings } = words;
  const { preview, shown } = usePreview(inputOf(draft));
  return (
    <Section title={listings.preview}>
      <p class="quiet">{listings.previewLead}</p>
      <div aria-live="polite" aria-busy={preview.state === 'loading'}>
        {preview.state === 'failed' && <Failure error={preview.error} retry={preview.retry} />}
        {preview.state === 'loading' && shown === null && <Skeleton />}
        {shown !== null && <Shown of={shown} />}
      </div>
    </Section>
  );
}
