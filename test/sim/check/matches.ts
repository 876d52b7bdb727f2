// What must hold of every match that an answer shows: the reader may see it, it was counted as shown, and an open one
// leads to somebody whom one may still meet.
import type { TestAnswer } from '../../support/testbed.ts';
import { must } from '../failure.ts';
import type { Sim } from '../sim.ts';

interface View {
  readonly match_id: string;
  readonly status: string;
  readonly my_listing: { readonly id: string };
}

interface Row {
  readonly offer_id: string;
  readonly offer_visible: number;
  readonly seek_visible: number;
  readonly shown_to: string;
  readonly offer_agent_id: string;
  readonly seek_agent_id: string;
}

/** By operation, where its answer holds matches. */
const PLACES: Readonly<Record<string, (body: TestAnswer['body']) => readonly View[]>> = {
  'match.feed': (body) => body,
  'match.list': (body) => body,
  'match.run': (body) => body.matches,
  'match.summary': (body) => [body.match],
  'onboarding.intake': (body) => body.matches,
};

const MEETABLE = `SELECT count(*) FROM agents WHERE id = ? AND visibility <> 'hidden' AND provisional = 0
  AND deactivated_at IS NULL`;

/** Checks the matches in a good answer that was given while nothing else ran. */
export function checkShownMatches(sim: Sim, name: string, { status, body }: TestAnswer): void {
  const views = status < 300 ? (PLACES[name]?.(body) ?? []) : [];
  for (const view of views) {
    const [row] = sim.db.rows<Row>('SELECT * FROM matches WHERE match_id = ?', view.match_id);
    must(row !== undefined, 'a match is shown that is not stored', view);
    const offers = view.my_listing.id === row.offer_id;
    const [me, other] = offers ? [row.offer_agent_id, row.seek_agent_id] : [row.seek_agent_id, row.offer_agent_id];
    must((offers ? row.offer_visible : row.seek_visible) === 1, 'a match is shown to a side that may not see it', view);
    must(row.shown_to.includes(me), 'a match is shown and not counted as shown', view);
    if (view.status === 'pending') {
      must(
        sim.db.number(MEETABLE, other) === 1,
        `${name} shows an open match with an agent that is not to be met`,
        view,
      );
    }
  }
}
