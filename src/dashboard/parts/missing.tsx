// What keeps a listing from more matches, by rule, and what its owner could change.
import type { JSX } from 'preact';
import type { Output } from '../server.ts';
import { locale, words } from '../words/words.ts';
import { count, listed, shortMoney } from './format.ts';
import { Section, Table } from './show.tsx';

type Told = Pick<Output<'match.summary'>, 'missing' | 'considered'>;
type Rule = Told['missing'][number];

const COUNTRIES = new Intl.DisplayNames(locale, { type: 'region' });

/** The name of a country; a text that is no code (ISO 3166) stays as it is, where `of` throws. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code;
}

/** An amount for its period; that of a single sale has none. */
function amountText({ cents, period }: NonNullable<Rule['values']['steps']>[number]): string {
  const { periods, each } = words.market;
  return period === 'once' ? shortMoney(cents) : each(shortMoney(cents), periods[period]);
}

function changeText({ rule, values }: Rule): string {
  const { changes } = words.matches;
  const { direction, remote = 0, countries = [], steps = [], phrases = [], theirs = 0, labelled } = values;
  switch (rule) {
    case 'geography': {
      const named = countries.map((each) => changes.gain(countryName(each.name), count(each.count)));
      return remote === 0
        ? changes.placesNone
        : changes.places(listed([changes.gain(changes.remote, count(remote)), ...named]));
    }
    case 'price': {
      const gains = steps.map((step) => changes.gain(changes.step[direction](amountText(step)), count(step.count)));
      return gains.length === 0 ? changes.pricesNone[direction] : changes.prices[direction](listed(gains));
    }
    case 'dealbreaker': {
      const own = phrases.map(({ name, count: excluded }) => changes.gain(changes.phrase(name), count(excluded)));
      const told = [own.length > 0 && changes.own(listed(own)), theirs > 0 && changes.theirs(count(theirs))];
      return told.filter((each) => each !== false).join(' ');
    }
    case 'floor':
      return labelled ? changes.floor : changes.unlabelled;
    default:
      return changes[rule];
  }
}

/** What could be changed; of several listings it is about the one where the rule excludes most. */
function Change({ of }: { of: Rule }): JSX.Element {
  const { most } = of.values;
  return (
    <>
      {most && <strong>{words.matches.changes.most(most.headline, count(most.count))} </strong>}
      {changeText(of)}
    </>
  );
}

/** The table of it, under its heading. */
export function Missing({ of: { missing, considered } }: { of: Told }): JSX.Element {
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
            { name: matches.change, cell: (each) => <Change of={each} /> },
          ]}
        />
      )}
    </Section>
  );
}
