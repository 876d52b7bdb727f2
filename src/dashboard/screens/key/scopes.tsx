// The rights of keys and programs: in groups, to tick or to read.
import type { JSX } from 'preact';
import { isScope, SCOPES, type Scope, SIGNUP_SCOPES } from '../../../domain/identity/scope.ts';
import { listed } from '../../parts/format.ts';
import { Segments } from '../../parts/show.tsx';
import { Ticks } from '../../parts/ticks.tsx';
import { useRead } from '../../resource.ts';
import { words } from '../../words/words.ts';

const GROUPS = {
  'discovery:read': 'read',
  'marketplace:read': 'read',
  'agents:read': 'read',
  'agents:write': 'write',
  'listings:write': 'write',
  'matching:run': 'write',
  'conversations:read': 'read',
  'conversations:write': 'write',
  'messages:write': 'write',
  'webhooks:write': 'write',
  'router:read': 'read',
  'router:call': 'money',
  'router:provide': 'write',
  'deals:read': 'read',
  'deals:write': 'write',
  'payments:write': 'money',
  'export:read': 'data',
  'analytics:read': 'data',
} as const satisfies Readonly<Record<Scope, string>>;
type Group = (typeof GROUPS)[Scope];

const ORDER: readonly Group[] = ['read', 'write', 'money', 'data'];
const inGroup = (scopes: readonly Scope[], group: Group): readonly Scope[] =>
  scopes.filter((scope) => GROUPS[scope] === group);
/** Whether any of these rights spends money. */
export const paysWith = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => isScope(scope) && GROUPS[scope] === 'money');

/** A key's rights, one word per group; hovering lists the rights. */
export function MayDo({ scopes }: { scopes: readonly string[] }): JSX.Element {
  const { keys } = words;
  const known = scopes.filter(isScope);
  const groups = ORDER.filter((group) => inGroup(known, group).length > 0);
  return (
    <details>
      <summary>{listed(groups.map((group) => keys.groups[group].name))}</summary>
      <ul>
        {known.map((scope) => (
          <li key={scope}>{keys.scopeTexts[scope] ?? scope}</li>
        ))}
      </ul>
    </details>
  );
}

type Preset = 'read' | 'work' | 'all' | 'own';

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

/** Checkboxes of the rights that the person's plan permits: by group, and by suggestions for common programs. */
export function Scopes({
  offered,
  chosen,
  choose,
  lacking,
}: {
  offered: readonly Scope[];
  chosen: readonly string[];
  choose: (scopes: readonly string[]) => void;
  /** The form was submitted; at least one right is required. */
  lacking: boolean;
}): JSX.Element {
  const { keys } = words;
  const suggested: Readonly<Record<Exclude<Preset, 'own'>, readonly string[]>> = {
    read: inGroup(offered, 'read'),
    work: offered.filter((scope) => (SIGNUP_SCOPES as readonly string[]).includes(scope)),
    all: offered,
  };
  const names = (['read', 'work', 'all'] as const).filter(
    (name) => name !== 'all' || !sameSet(suggested.all, suggested.work),
  );
  const preset: Preset = names.find((name) => sameSet(suggested[name], chosen)) ?? 'own';
  return (
    <fieldset>
      <legend>{keys.scopes}</legend>
      <Segments<Preset>
        label={keys.preset}
        value={preset}
        options={[...names, 'own' as const].map((name) => [name, keys.presets[name]])}
        onChange={(name) => name !== 'own' && choose(suggested[name])}
      />
      <Ticks
        groups={ORDER.filter((group) => inGroup(offered, group).length > 0).map((group) => ({
          id: group,
          name: keys.groups[group].name,
          text: keys.groups[group].why,
          options: inGroup(offered, group).map((scope) => [scope, keys.scopeTexts[scope] ?? scope]),
        }))}
        chosen={chosen}
        choose={choose}
      />
      {lacking && chosen.length === 0 && (
        <p class="problem" role="alert">
          {keys.noScope}
        </p>
      )}
    </fieldset>
  );
}

/** Rights that the person's own credential can delegate. */
export function useOfferedScopes(): readonly Scope[] {
  const mine = useRead('key.self', {});
  const given: readonly string[] = mine.state === 'ready' ? mine.value.scopes : SIGNUP_SCOPES;
  return SCOPES.filter((scope) => given.includes(scope));
}
