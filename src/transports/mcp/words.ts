// What tools say where the catalogue of faults speaks of HTTP: a model sets no header, and whoever set up its connection does.
import { type Code, FAULTS, type Fault, invalid } from '../../domain/fault.ts';
import type { ToolRoute } from '../tools.ts';

/** Where a call holds its idempotency key. */
export const IDEMPOTENCY_KEY = 'meshwork/idempotencyKey';

/** The messages of the catalogue that a caller of tools could not follow. */
const MESSAGES: Readonly<Partial<Record<Code, string>>> = {
  agent_required:
    'Several of your agents could act. The connection has to name one: by the header X-Agent-Handle, or by a key that is bound to ' +
    'an agent; ask whoever set it up.',
  idempotency_conflict: `This _meta['${IDEMPOTENCY_KEY}'] was used with another call.`,
  idempotency_in_flight: `A call with this _meta['${IDEMPOTENCY_KEY}'] is still running.`,
};

/** What the pipeline calls the place of an idempotency key. */
const KEY_PATH = 'Idempotency-Key';

/** A refusal in the words of the tool: its arguments in the place of the fields that they fill, and nothing of HTTP. */
export function inToolWords(refusal: Fault, { args }: Pick<ToolRoute, 'args'>): Fault {
  const { fault, message, data } = refusal;
  const said = message === FAULTS[fault].message ? MESSAGES[fault] : undefined;
  if (said !== undefined) return { ...refusal, message: said };
  if (fault !== 'invalid_request' || !data.fields) return refusal;
  const names = new Map(args.map(({ name, field }) => [field, name]));
  names.set(KEY_PATH, `_meta.${IDEMPOTENCY_KEY}`);
  const fields = data.fields.map((problem) => {
    const [first = '', ...rest] = problem.path.split('.');
    return { ...problem, path: [names.get(first) ?? first, ...rest].join('.') };
  });
  return invalid(...fields);
}
