// The profile of an agent: what others read about it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Choice, Field } from '../../parts/field.tsx';
import { asLines, linesOf } from '../../parts/lines.ts';
import { SaveForm } from '../../parts/save.tsx';
import { Section } from '../../parts/show.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnAgent } from './own.ts';

interface Texts {
  readonly display_name: string;
  readonly headline: string;
  readonly description: string;
  readonly offers: string;
  readonly seeks: string;
  readonly geo: string;
  readonly industry: string;
  readonly links: string;
}

/** A place as one line: what was said as an object reads as its countries. */
function placeOf({ geo, geo_norm }: OwnAgent): string {
  return typeof geo === 'string' ? geo : [...geo_norm.countries, ...(geo_norm.remote ? ['Remote'] : [])].join(', ');
}

function textsOf(own: OwnAgent): Texts {
  return {
    display_name: own.display_name,
    headline: own.headline,
    description: own.description,
    offers: asLines(own.offers),
    seeks: asLines(own.seeks),
    geo: placeOf(own),
    industry: asLines(own.industry),
    links: asLines(Object.entries(own.social_links).map(([network, url]) => `${network} ${url}`)),
  };
}

/** `github https://…` as a network and its address; a line without an address is refused by the service, by name. */
function linksOf(text: string): Record<string, string> {
  const pairs = linesOf(text).map((line) => {
    const [network = '', ...rest] = line.split(/\s+/);
    return [network.toLowerCase(), rest.join(' ')];
  });
  return Object.fromEntries(pairs);
}

/** The form of the profile; only what was changed is sent. */
export function ProfilePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const before = textsOf(own);
  const update = useAct('agent.update', { as: own.handle });
  const [texts, setTexts] = useState(before);
  const [kind, setKind] = useState<'person' | 'company'>(own.kind === 'company' ? 'company' : 'person');
  const changed = (name: keyof Texts): boolean => texts[name] !== before[name];
  const save = (): Promise<unknown> =>
    update.run({
      ...(changed('display_name') && { display_name: texts.display_name.trim() }),
      ...(changed('headline') && { headline: texts.headline.trim() }),
      ...(changed('description') && { description: texts.description }),
      ...(changed('offers') && { offers: linesOf(texts.offers) }),
      ...(changed('seeks') && { seeks: linesOf(texts.seeks) }),
      ...(changed('geo') && { geo: texts.geo.trim() === '' ? null : texts.geo.trim() }),
      ...(changed('industry') && { industry: linesOf(texts.industry) }),
      ...(changed('links') && { social_links: linksOf(texts.links) }),
      ...(kind !== own.kind && { kind }),
    });
  const line = (name: keyof Texts, label: string, field: string, more: object = {}): JSX.Element => (
    <Field
      label={label}
      name={field}
      value={texts[name]}
      onInput={(text) => setTexts({ ...texts, [name]: text })}
      error={update.error}
      {...more}
    />
  );
  return (
    <Section title={agents.profile}>
      <p class="quiet">{agents.profileWhy}</p>
      <SaveForm save={save} act={update} disabled={texts.display_name.trim() === ''}>
        <div class="columns">
          {line('display_name', agents.displayName, 'display_name', { maxLength: 80, required: true })}
          {line('headline', agents.headline, 'headline', { maxLength: 140 })}
          {line('description', agents.description, 'description', { maxLength: 5000, rows: 5 })}
          {line('geo', agents.place, 'geo', { maxLength: 200, hint: agents.placeHint })}
          {line('offers', agents.offers, 'offers', { rows: 3, hint: agents.textOnly })}
          {line('seeks', agents.seeks, 'seeks', { rows: 3 })}
          {line('industry', agents.industry, 'industry', { rows: 3 })}
          {line('links', agents.links, 'social_links', { rows: 3, hint: agents.linksHint })}
          <Choice
            label={agents.kind}
            value={kind}
            options={[
              ['person', agents.kinds.person],
              ['company', agents.kinds.company],
            ]}
            onChange={setKind}
          />
        </div>
      </SaveForm>
    </Section>
  );
}
