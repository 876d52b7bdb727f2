// How far conversations came, of the agent in all or of one of its listings: what reached each phase, and how much of that went on.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Choice } from '../../parts/field.tsx';
import { count, percent } from '../../parts/format.ts';
import { Section } from '../../parts/show.tsx';
import { Table } from '../../parts/table.tsx';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Analytics = Output<'analytics.read'>;

const ALL = '';

/** The section, with a choice of those listings about which anybody talked. */
export function ByPhase({ of }: { of: Analytics }): JSX.Element {
  const { analytics } = words;
  const [listing, setListing] = useState(ALL);
  const talked = of.by_listing.filter(({ conversations }) => conversations > 0);
  // Another span may hold no talk about what was chosen.
  const chosen = talked.find(({ listing_id }) => listing_id === listing);
  const { by_phase, conversations } = chosen ?? of;
  const rows = by_phase.map((each, n) => ({ ...each, before: by_phase[n - 1]?.conversations ?? null }));
  return (
    <Section title={analytics.byPhase}>
      <p class="quiet">{of.conversations === 0 ? analytics.noPhase : analytics.byPhaseWhy}</p>
      {talked.length > 0 && (
        <Choice
          label={analytics.phasesOf}
          value={chosen?.listing_id ?? ALL}
          options={[
            [ALL, analytics.allTalks],
            ...talked.map(({ listing_id, headline }) => [listing_id, headline] as const),
          ]}
          onChange={setListing}
        />
      )}
      {of.conversations > 0 && (
        <Table
          caption={analytics.byPhase}
          rows={rows}
          keyOf={({ phase }) => phase}
          columns={[
            { name: analytics.phase, cell: ({ phase }) => analytics.phases[phase] },
            {
              name: analytics.share,
              cell: ({ phase, conversations: n }) => (
                <span class="funnel">
                  <meter min={0} max={conversations} value={n} aria-label={analytics.phases[phase]} />{' '}
                  {percent(n / conversations)}
                </span>
              ),
            },
            {
              name: analytics.wentOn,
              cell: ({ conversations: n, before }) => (before === null || before === 0 ? '–' : percent(n / before)),
              figure: true,
            },
            { name: analytics.reached, cell: ({ conversations: n }) => count(n), figure: true },
          ]}
        />
      )}
    </Section>
  );
}
