// Who may call an operation, the effect of a call, and its names as a tool for models. All differences between a tool and
// its operation are data, so that the list of tools can be written down and checked before a call.
import type { Scope } from '../domain/identity/scope.ts';

/** Who may call. `key` takes an API key with the scope, or a session; `admin` the session of an administrator, or
 * the platform token; `internal` is never reached from outside. */
export type Access = 'public' | 'key' | 'session' | 'admin' | 'platform' | 'internal';

/**
 * The effect of a call for which the caller is responsible. Any observable change counts, also behind a GET: a read that sets
 * read marks or uses up the month's matches `changes`, since clients call `reads` without asking their user. Times of last
 * presence and last key use do not count.
 *
 * - `reads`: has no observable effect.
 * - `adds`: creates something at each call, and removes nothing.
 * - `changes`: sets or marks something without loss; idempotent.
 * - `destroys`: removes or ends something that no other call can restore.
 * - `spends`: pays money at each call, which no other call can take back.
 */
export type CallEffect = 'reads' | 'adds' | 'changes' | 'destroys' | 'spends';

/** Sets of tools, so that a client need not load all of them. */
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

/** Selects one of several operations that share a tool: by the value of an argument, or by its presence. An argument with
 * values that is no operation's input belongs to the tool itself. */
export type When =
  | { readonly argument: string; readonly is: string }
  | { readonly argument: string; readonly given: boolean };

/** The names of an input's fields; any name for an unknown input. */
type Field<In> = unknown extends In ? string : keyof In & string;

/** One name of an operation as a tool; `In` is the operation's input. */
export interface ToolBinding<In = Readonly<Record<string, unknown>>> {
  readonly name: `mesh_${string}`;
  /** The name that people see in a list of tools. */
  readonly title: string;
  readonly set: ToolSet;
  /** Replaces the operation's description where the tool does less. */
  readonly description?: string;
  /** Input fields that the tool sets and its caller cannot. */
  readonly fixed?: Readonly<Partial<In>>;
  /** The only input fields that its caller gives, all of them required. */
  readonly takes?: readonly Field<In>[];
  /** Maps arguments to input fields of another name. */
  readonly rename?: Readonly<Record<string, Field<In>>>;
  readonly when?: When;
  /** Who may call the tool, where only sessions may call the REST address. */
  readonly access?: Access;
  readonly scope?: Scope | 'any';
  /** The effect of a call, and whether it reaches beyond the service, where fixed or absent fields make it less than the operation's. */
  readonly effect?: CallEffect;
  readonly open_world?: boolean;
  /** A tool beyond those of the interface (interface.md, Tool server). */
  readonly extension?: boolean;
}

/** Inputs that have one name in all tools, whatever the REST address calls them. */
const ONE_NAME: ReadonlyMap<string, string> = new Map([
  ['cardId', 'listing_id'],
  ['agent_handle', 'handle'],
]);

/** Maps the input fields of an operation to the arguments of its tool. */
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

/** Why sign-in and sign-up are no tools. */
export const BEFORE_A_KEY = 'Signing in and up comes before there is a key, and a tool is called with one.';

/** Why operations that take a signature are no tools. */
export const OF_A_PRIVATE_KEY = 'A signature takes a private key, which belongs to a program and not before a model.';
