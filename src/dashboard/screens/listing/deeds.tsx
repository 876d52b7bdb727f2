// What can be done with a listing of one's own: out of sight and back, or away for good.
import type { ComponentChildren, JSX } from 'preact';
import type { Yes } from '../../final.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnListing } from './draft.ts';

/** The buttons; `gone` leads away from a page that is about it alone. */
export function ListingDeeds({
  own,
  gone,
  children,
}: {
  own: OwnListing;
  gone?: () => void;
  children?: ComponentChildren;
}): JSX.Element {
  const { listings } = words;
  const update = useAct('listing.update');
  const remove = useAct('listing.delete', { quiet: gone !== undefined });
  const away = async (yes: Yes): Promise<void> => {
    if (await remove.run({ cardId: own.id }, yes)) gone?.();
  };
  const paused = own.status === 'inactive' || own.status === 'draft';
  return (
    <>
      <div class="buttons">
        {paused ? (
          <Button main busy={update.busy} onClick={() => update.run({ cardId: own.id, active: true })}>
            {listings.publish}
          </Button>
        ) : (
          <Button busy={update.busy} onClick={() => update.run({ cardId: own.id, active: false })}>
            {listings.pause}
          </Button>
        )}
        {children}
        <ConfirmButton danger busy={remove.busy} question={listings.removeAsk} onClick={away}>
          {listings.remove}
        </ConfirmButton>
      </div>
      {update.error && <Failure error={update.error} />}
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}
