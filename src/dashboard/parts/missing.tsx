// What keeps a listing from more matches, by what is in the way, and what its person could change.
import type { JSX } from 'preact';
import type { Output } from '../server.ts';
import { words } from '../words/words.ts';
import { count } from './format.ts';
import { Section } from './show.tsx';
import { Table } from './table.tsx';

/** The table of it, under its heading. */
export function Missing({
  of: { missing, considered },
}: {
  of: Pick<Output<'match.summary'>, 'missing' | 'considered'>;
}): JSX.Element {
  const { matches } = words;
  return (
    <Section title={matches.missing}>
      <p class="quiet">{matches.considered(count(considered))}</p>
      {missing.length === 0 ? (
        <p>{matches.missingNone}</p>
      ) : (
        <Table
          caption={matches.missing}
          rows={missing}
          keyOf={({ rule }) => rule}
          columns={[
            { name: matches.rule, cell: ({ rule }) => matches.rules[rule] },
            { name: matches.count, cell: (each) => count(each.count), figure: true },
            { name: matches.change, cell: ({ change }) => change },
          ]}
        />
      )}
    </Section>
  );
}
