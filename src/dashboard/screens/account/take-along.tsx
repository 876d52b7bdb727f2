// All that is kept of a person as one file, gathered part by part, with how far it is.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MeshworkError } from '../../../client/error.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { count } from '../../parts/format.ts';
import { Section } from '../../parts/show.tsx';
import { Failure } from '../../parts/states.tsx';
import { errorOf } from '../../resource.ts';
import { ask, type Output } from '../../server.ts';
import { words } from '../../words/words.ts';

type Part = Output<'account.export'>;

/** Asks for part after part; `told` hears how many rows there are so far. */
async function gather(told: (rows: number) => void): Promise<{ whole: Omit<Part, 'next_cursor'>; rows: number }> {
  const { value: first } = await ask('account.export', {});
  const sections: Record<string, Record<string, unknown>[]> = {};
  let rows = 0;
  for (let part: Part = first; ; ) {
    for (const [name, more] of Object.entries(part.sections)) {
      sections[name] = [...(sections[name] ?? []), ...more];
      rows += more.length;
    }
    told(rows);
    if (part.next_cursor === null) break;
    part = (await ask('account.export', { cursor: part.next_cursor })).value;
  }
  return { whole: { exported_at: first.exported_at, account: first.account, sections }, rows };
}

/** The button, and what became of it. */
export function TakeAlong(): JSX.Element {
  const { accounts } = words;
  const [rows, setRows] = useState<number | null>(null);
  const [state, setState] = useState<'still' | 'busy' | 'done'>('still');
  const [error, setError] = useState<MeshworkError | null>(null);
  const go = async (): Promise<void> => {
    setState('busy');
    setError(null);
    setRows(0);
    try {
      const { whole } = await gather(setRows);
      download(`meshwork-${whole.exported_at.slice(0, 10)}.json`, 'application/json', JSON.stringify(whole, null, 2));
      setState('done');
    } catch (problem) {
      setError(errorOf(problem));
      setState('still');
    }
  };
  return (
    <Section title={accounts.data}>
      <p>{accounts.dataWhy}</p>
      <Button busy={state === 'busy'} onClick={go}>
        {accounts.take}
      </Button>
      <p role="status">
        {state === 'busy' && rows !== null && accounts.taking(count(rows))}
        {state === 'done' && rows !== null && accounts.taken(count(rows))}
      </p>
      {error && <Failure error={error} retry={go} />}
    </Section>
  );
}
