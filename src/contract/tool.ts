// Who may call an operation, what a call leaves behind, and its names as a tool: the door for models. All that a tool says
// otherwise than its operation does is data, so that the list of tools can be written down and checked before a call.
import type { Scope } from '../domain/identity/scope.ts';

/** Who may call. `key` takes an API key with the scope, or a session; `admin` the session of an administrator, or
 * the platform token; `internal` is never reached from outside. */
export type Access = 'public' | 'key' | 'session' | 'admin' | 'platform' | 'internal';

/**
 * What a call leaves behind, as a caller would have to answer for it. A trace that somebody can tell afterwards counts,
 * also behind a GET: a read that marks as read or uses up the month's matches `changes`, since a client that calls what only
 * reads without asking would use them up unasked. When somebody was last seen, and that a key was used, does not count.
 *
 * - `reads`: whether it was called or not makes no difference to anybody.
 * - `adds`: makes something more at each call, and takes nothing away.
 * - `changes`: sets or marks something, by which nothing is lost; the same call again changes nothing more.
 * - `destroys`: takes away or ends what no other call puts back as it was.
 * - `spends`: gives money away, which no other call puts back, and once more at each call.
 */
export type CallEffect = 'reads' | 'adds' | 'changes' | 'destroys' | 'spends';

/** The sets in which tools are offered, so that a client need not load all of them. */
export type ToolSet =
  | 'account'
  | 'agents'
  | 'conversations'
  | 'discovery'
  | 'inbox'
  | 'listings'
  | 'market'
  | 'matches'
  | 'wallet'
  | 'webhooks';

/** Which calls of a tool that several operations share are for this one: by the value of an argument, or by whether it is
 * given. An argument that has values but is no operation's input is the tool's own. */
export type When =
  | { readonly argument: string; readonly is: string }
  | { readonly argument: string; readonly given: boolean };

/** The names of an input's fields; of an input that is not known, any. */
type Field<In> = unknown extends In ? string : keyof In & string;

/** One name of an operation as a tool; `In` is the operation's input. */
export interface ToolBinding<In = Readonly<Record<string, unknown>>> {
  readonly name: `mesh_${string}`;
  /** For people who look over a list of tools. */
  readonly title: string;
  readonly set: ToolSet;
  /** What it does where that is less than the operation's own description says. */
  readonly description?: string;
  /** Input fields that the tool sets; its caller cannot. */
  readonly fixed?: Readonly<Partial<In>>;
  /** The only input fields that its caller gives, every one of them needed. */
  readonly takes?: readonly Field<In>[];
  /** Arguments that are named otherwise than the input fields that they fill. */
  readonly rename?: Readonly<Record<string, Field<In>>>;
  readonly when?: When;
  /** Who may call the tool where a session alone reaches the address. */
  readonly access?: Access;
  readonly scope?: Scope | 'any';
  /** What a call leaves behind, and whether it reaches beyond the service, where what is fixed or left out makes that less
   * than the operation could. */
  readonly effect?: CallEffect;
  readonly open_world?: boolean;
  /** A tool beyond those of the interface (interface.md, Tool server). */
  readonly extension?: boolean;
}

/** Inputs that tools call by one name, whatever the address of their operation calls them. */
const ONE_NAME: ReadonlyMap<string, string> = new Map([
  ['cardId', 'listing_id'],
  ['agent_handle', 'handle'],
]);

/** The arguments of a tool, by the input fields of its operation that they fill. */
export function argumentNames(
  { rename = {} }: Pick<ToolBinding, 'rename'>,
  fields: readonly string[],
): ReadonlyMap<string, string> {
  const renamed = new Map(Object.entries(rename).map(([argument, field]) => [field, argument]));
  const nameOf = (field: string): string => {
    const one = ONE_NAME.get(field);
    return renamed.get(field) ?? (one === undefined || fields.includes(one) ? field : one);
  };
  return new Map(fields.map((field) => [field, nameOf(field)]));
}

/** Who may call by a tool. */
export function reachOf(
  operation: { readonly access: Access; readonly scope?: Scope | 'any' },
  { access, scope }: Pick<ToolBinding, 'access' | 'scope'>,
): { readonly access: Access; readonly scope: Scope | 'any' | undefined } {
  if (access !== undefined) return { access, scope };
  return { access: operation.access, scope: scope ?? operation.scope };
}

/** Why what leads to a key is no tool. */
export const BEFORE_A_KEY = 'Signing in and up comes before there is a key, and a tool is called with one.';

/** Why what is proven by a signature is no tool. */
export const OF_A_PRIVATE_KEY = 'A signature takes a private key, which belongs to a program and not before a model.';
