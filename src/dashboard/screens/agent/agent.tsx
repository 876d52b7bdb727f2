// An own agent: profile, bounds, autopilot, visibility, transports and handle.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { WEEKDAYS } from '../../../domain/agent/profile.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton, SaveForm } from '../../parts/confirm.tsx';
import { Choice, Field, Form, HandleField } from '../../parts/field.tsx';
import { asLines, linesOf } from '../../parts/format.ts';
import { Facts, Section, Time } from '../../parts/show.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useAct, useRead } from '../../resource.ts';
import { actAs, agent } from '../../session.ts';
import { words } from '../../words/words.ts';
import { PilotMark, Presence, Standing } from '../agents.tsx';
import { AutopilotPart, PoliciesPart } from './autopilot.tsx';
import { BoundsPart, VisibilityPart, WakePart } from './limits.tsx';
import { AUTOPILOT_PLACE, BOUNDS_PLACE, type OwnAgent, POLICIES_PLACE } from './own.ts';

// The person's availability: hours of weekdays, never dates.

type Window = NonNullable<OwnAgent['availability']>['windows'][number];

const FRESH: Window = { day: 'mon', from: '09:00', to: '17:00' };

function HoursPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [windows, setWindows] = useState<readonly Window[]>(own.availability?.windows ?? []);
  const tz = own.availability?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const set = (at: number, part: Partial<Window>): void =>
    setWindows((now) => now.map((each, n) => (n === at ? { ...each, ...part } : each)));
  const next = WEEKDAYS.find((day) => windows.every((each) => each.day !== day)) ?? 'mon';
  const availability = windows.length === 0 ? null : { tz, windows: windows.map((each) => ({ ...each })) };
  return (
    <Section title={agents.hours}>
      <SaveForm save={() => update.run({ availability })} act={update}>
        {windows.length === 0 && <p class="quiet">{agents.hoursNone}</p>}
        {windows.map(({ day, from, to }, at) => (
          <div key={`${at} ${day}`} class="row">
            <Choice
              label={agents.day}
              value={day}
              options={WEEKDAYS.map((each) => [each, agents.days[each]] as const)}
              onChange={(chosen) => set(at, { day: chosen })}
            />
            <Field
              label={agents.from}
              name={`availability.windows.${at}.from`}
              value={from}
              onInput={(text) => set(at, { from: text })}
              error={update.error}
              maxLength={5}
            />
            <Field
              label={agents.to}
              name={`availability.windows.${at}.to`}
              value={to}
              onInput={(text) => set(at, { to: text })}
              error={update.error}
              maxLength={5}
            />
            <Button
              label={agents.removeHours(agents.days[day])}
              onClick={() => setWindows(windows.filter((_, n) => n !== at))}
            >
              ×
            </Button>
          </div>
        ))}
        <div class="buttons">
          <Button onClick={() => setWindows([...windows, { ...FRESH, day: next }])}>{agents.addHours}</Button>
          <span class="quiet">{agents.zone(tz)}</span>
        </div>
      </SaveForm>
    </Section>
  );
}

// An agent's handle, deactivation and reactivation.

/** Changes an agent's handle. */
function RenamePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const rename = useAct('agent.rename', { as: own.handle });
  const [handle, setHandle] = useState('');
  const [, go] = useLocation();
  const change = async (): Promise<void> => {
    const renamed = await rename.run({ handle: handle.trim() });
    if (!renamed) return;
    if (agent.value === own.handle) actAs(renamed.handle);
    go(`/agents/${renamed.handle}`, { replace: true });
  };
  return (
    <Section title={agents.rename}>
      <Form onSubmit={change}>
        <HandleField value={handle} onInput={setHandle} error={rename.error} hint={agents.renameHint} />
        <Button submit busy={rename.busy} disabled={handle.trim() === ''}>
          {agents.rename}
        </Button>
        {rename.error && <Failure error={rename.error} />}
      </Form>
    </Section>
  );
}

/** Deactivates the agent, after confirmation. */
function DeactivatePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const deactivate = useAct('agent.deactivate', { as: own.handle });
  return (
    <Section title={agents.deactivateTitle}>
      <p class="quiet">{agents.deactivateWhy}</p>
      <ConfirmButton
        danger
        busy={deactivate.busy}
        question={agents.deactivateAsk(own.handle)}
        onClick={(yes) => deactivate.run({}, yes)}
      >
        {agents.deactivate}
      </ConfirmButton>
      {deactivate.error && <Failure error={deactivate.error} />}
    </Section>
  );
}

/** Reactivates a deactivated agent. */
function RestorePart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const restore = useAct('agent.restore');
  const back = async (): Promise<void> => {
    const restored = await restore.run({ handle: own.handle });
    if (restored && agent.value === undefined) actAs(restored.handle);
  };
  return (
    <Section title={agents.deactivated}>
      <p>
        {own.deactivated_at !== null && <Time at={own.deactivated_at} />} {agents.deactivateWhy}
      </p>
      <p class="quiet">{agents.restoreWhy}</p>
      <Button main busy={restore.busy} onClick={back}>
        {agents.restore}
      </Button>
      {restore.error && <Failure error={restore.error} />}
    </Section>
  );
}

// How an agent is reached: transports that work now, its own endpoint, and its response time.

function Endpoint({ a2a }: { a2a: NonNullable<OwnAgent['a2a']> }): JSX.Element {
  const { agents, common } = words;
  return (
    <Facts
      of={[
        [agents.endpointFound, a2a.url],
        [agents.dialect, a2a.dialect ?? agents.dialectNone],
        [agents.signature, agents.signatures[a2a.card_signature]],
        [agents.checked, a2a.checked_at === null ? common.never : <Time at={a2a.checked_at} />],
      ]}
    />
  );
}

/** Presence, transports and the endpoint. */
function ReachPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents, common } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [url, setUrl] = useState(own.a2a_url ?? '');
  const { presence } = own;
  return (
    <Section title={agents.reach} aside={<Presence of={presence} />}>
      <p class="quiet">{agents.reachWhy}</p>
      <ol class="chips ranked">
        {own.transports.map((each) => (
          <li key={each}>{agents.transports[each] ?? each}</li>
        ))}
      </ol>
      <Facts
        of={[
          [agents.mailbox, own.mailbox],
          [
            agents.response,
            presence.responsiveness === null ? agents.responseNone : agents.responsiveness[presence.responsiveness],
          ],
          [
            agents.fingerprint,
            own.public_key_fingerprint === null ? common.none : <code>{own.public_key_fingerprint}</code>,
          ],
        ]}
      />
      <SaveForm save={() => update.run({ a2a_url: url.trim() === '' ? null : url.trim() })} act={update}>
        <Field
          label={agents.endpoint}
          hint={agents.endpointHint}
          name="a2a_url"
          value={url}
          onInput={setUrl}
          error={update.error}
          type="url"
          maxLength={2048}
        />
      </SaveForm>
      {own.a2a && <Endpoint a2a={own.a2a} />}
    </Section>
  );
}

// An agent's public profile.

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

/** A location as text; for an object, its countries. */
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

/** Parses `github https://…` into network and URL; for a line without URL the service's error names the field. */
function linksOf(text: string): Record<string, string> {
  const pairs = linesOf(text).map((line) => {
    const [network = '', ...rest] = line.split(/\s+/);
    return [network.toLowerCase(), rest.join(' ')];
  });
  return Object.fromEntries(pairs);
}

/** The profile form; it sends changed fields only. */
function ProfilePart({ own }: { own: OwnAgent }): JSX.Element {
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

// A section with a fragment, as in /agents/ada#bounds.

/** The section. Its content loads after navigation, so it scrolls itself into view. */
function Anchor({ id, children }: { id: string; children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash !== `#${id}`) return undefined;
    const frame = requestAnimationFrame(() => place.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [id]);
  return (
    <div id={id} ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}

function Settings({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  if (own.status === 'deactivated') return <RestorePart own={own} />;
  return (
    <>
      <div class="lead">
        <p class="marks">
          <span class="handle">@{own.handle}</span>
          <Standing verified={own.verified} score={own.trust.score} />
          <PilotMark on={own.autopilot} />
        </p>
        <div class="buttons">
          {!own.verified && (
            <Link class="button main" href="/onboarding#verification">
              {agents.verify}
            </Link>
          )}
          <Link class="button" href={`/people/${own.handle}`}>
            {agents.public}
          </Link>
        </div>
      </div>
      <ProfilePart own={own} />
      <VisibilityPart own={own} />
      <Anchor id={BOUNDS_PLACE}>
        <BoundsPart own={own} />
      </Anchor>
      <Anchor id={POLICIES_PLACE}>
        <PoliciesPart own={own} />
      </Anchor>
      <Anchor id={AUTOPILOT_PLACE}>
        <AutopilotPart own={own} />
      </Anchor>
      <ReachPart own={own} />
      <WakePart own={own} />
      <HoursPart own={own} />
      <RenamePart own={own} />
      <DeactivatePart own={own} />
    </>
  );
}

/** The settings of the agent in the URL. */
export function AgentScreen({ params: { handle = '' } }: { params: { handle?: string | undefined } }): JSX.Element {
  const { agents, failed } = words;
  const read = useRead('agent.read', { handle });
  const name = read.state === 'ready' ? read.value.display_name : `@${handle}`;
  return (
    <>
      <h1 tabIndex={-1}>{name}</h1>
      <Loaded of={read}>
        {(found) =>
          // Only the owner may see an agent's settings.
          'bounds' in found ? (
            <Settings key={found.handle} own={found} />
          ) : (
            <Empty text={failed.absent} href={`/people/${found.handle}`} action={agents.public} />
          )
        }
      </Loaded>
    </>
  );
}
