// Why a listing has the matches that it has: asked for when somebody wants to know, since all candidates are looked at anew.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Missing } from '../../parts/missing.tsx';
import { Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

/** Asks, and shows what is in the way of more matches. */
export function ExplainPart({ id }: { id: string }): JSX.Element {
  const { listings } = words;
  const { run, busy, error } = useAct('match.explain', { quiet: true });
  const [told, setTold] = useState<Output<'match.explain'> | null>(null);
  const ask = async (): Promise<void> => setTold(await run({ listing_id: id }));
  return (
    <>
      <Section title={listings.explain}>
        <p class="quiet">{listings.explainWhy}</p>
        <div class="buttons">
          <Button busy={busy} onClick={ask}>
            {listings.explainGo}
          </Button>
        </div>
        {told !== null && told.note !== null && (
          <p class="notice" role="status">
            {told.note}
          </p>
        )}
        {error && <Failure error={error} />}
      </Section>
      {told !== null && told.note === null && <Missing of={told} />}
    </>
  );
}
