// When the person behind an agent can be had: hours of the days of a week, never dates.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { WEEKDAYS } from '../../../domain/agent/availability.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { SaveForm } from '../../parts/save.tsx';
import { Section } from '../../parts/show.tsx';
import { useAct } from '../../resource.ts';
import { words } from '../../words/words.ts';
import type { OwnAgent } from './own.ts';

type Window = NonNullable<OwnAgent['availability']>['windows'][number];

const FRESH: Window = { day: 'mon', from: '09:00', to: '17:00' };

export function HoursPart({ own }: { own: OwnAgent }): JSX.Element {
  const { agents } = words;
  const update = useAct('agent.update', { as: own.handle });
  const [windows, setWindows] = useState<readonly Window[]>(own.availability?.windows ?? []);
  const tz = own.availability?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const set = (at: number, part: Partial<Window>): void =>
    setWindows(windows.map((each, n) => (n === at ? { ...each, ...part } : each)));
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
              name={`availability.windows.${at}`}
              value={from}
              onInput={(text) => set(at, { from: text })}
              error={update.error}
              maxLength={5}
            />
            <Field label={agents.to} value={to} onInput={(text) => set(at, { to: text })} maxLength={5} />
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
