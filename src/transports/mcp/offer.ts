// The tools of the MCP transport: how each is shown, to which callers, and how it is called. Each is rendered once per form, and the
// list for a class of callers is built once and cached as text.
import type { Principal } from '../../contract/context.ts';
import type { ToolSet } from '../../contract/tool.ts';
import { type Fault, invalid } from '../../domain/fault.ts';
import { givesScope } from '../../domain/identity/plan.ts';
import type { Json } from '../openapi/responses.ts';
import type { Annotations, ToolRoute } from '../tools.ts';
import type { Choice, Exchange, Outcome, Revision } from './exchange.ts';

// A caller's access to a tool. Tools that another credential of the account could use are told apart from the rest, because a client
// can ask for such a credential.

/** `grantable`: with another credential of the account, not with this one. */
export type Reach = 'reached' | 'grantable' | 'unknown';

type Who = Pick<Principal, 'kind' | 'plan' | 'scopes' | 'provisional'>;

/** A caller's access to one of the operations behind a tool. */
export function reachOfRoute(
  { access, scope, operation: { provisional } }: Pick<ToolRoute, 'access' | 'scope' | 'operation'>,
  who: Who,
): Reach {
  if (access === 'public' || scope === 'any' || who.kind === 'session') return 'reached';
  if (access !== 'key' || scope === undefined) return 'unknown';
  // An account without a person has one key and can get no other.
  if (who.provisional) return provisional && who.scopes.has(scope) ? 'reached' : 'unknown';
  if (who.scopes.has(scope)) return 'reached';
  return givesScope(who.plan, scope) ? 'grantable' : 'unknown';
}

/** The class of callers with equal access to every tool. */
function reachClass({ kind, plan, scopes, provisional }: Who): string {
  if (kind === 'session') return kind;
  return `${provisional ? 'provisional' : plan} ${[...scopes].sort().join(' ')}`;
}

/** The set of the tools that find and call the others. */
const META_SET = 'meta';

/** The sets by which a client chooses what is listed. */
const SETS = [
  'account',
  'agents',
  'conversations',
  'discovery',
  'inbox',
  'listings',
  'market',
  'matches',
  'wallet',
  'webhooks',
  META_SET,
] as const satisfies readonly (ToolSet | typeof META_SET)[];

/** The tools of all sets. */
const ALL_TOOLS = 'all';
/** The tools of the main task, from a listing to a review, for a model with a small context. */
const CORE_TOOLS = 'core';

const CORE: ReadonlySet<string> = new Set([
  'mesh_approve_match',
  'mesh_approve_proposal',
  'mesh_check_deals',
  'mesh_create_listing',
  'mesh_decline_match',
  'mesh_find_matches',
  'mesh_get_inbox',
  'mesh_get_messages',
  'mesh_list_conversations',
  'mesh_onboarding_status',
  'mesh_propose',
  'mesh_register',
  'mesh_release_milestone',
  'mesh_respond',
  'mesh_review_deal',
  'mesh_send_message',
  'mesh_start_conversation',
  'mesh_submit_deliverable',
]);

/** Other names of sets: `matching` is the engine's name, and in the scope `matching:run`. */
const OTHER_NAMES: ReadonlyMap<string, (typeof SETS)[number]> = new Map([['matching', 'matches']]);

interface ShownTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: Annotations;
}

/** A call of a tool, besides its request. */
export interface ToolCall {
  readonly given: Json;
  readonly idempotency_key: string | null;
}

export interface OfferedTool {
  readonly set: (typeof SETS)[number];
  /** Whether it is an extension of the interface. */
  readonly extension: boolean;
  readonly shown: ShownTool;
  /** A caller's access to it. */
  reach(who: Principal): Reach;
  /** The scope that a caller lacks for it, if any. */
  lacks(who: Principal): string | null;
  call(exchange: Exchange, call: ToolCall): Outcome | Promise<Outcome>;
}

/** Cached lists: one for each class of callers. */
const LISTS_MAX = 64;

/** A tool's JSON for a revision. Revisions before the structured ones have a tool's title in its annotations. */
function shownText({ outputSchema, ...shown }: ShownTool, form: Form): string {
  if (form === 'schemas') return JSON.stringify({ ...shown, outputSchema });
  const { title, annotations, ...rest } = shown;
  return JSON.stringify(form === 'titled' ? shown : { ...rest, annotations: { title, ...annotations } });
}

type Form = 'schemas' | 'titled' | 'plain';

function isListed(tool: OfferedTool, who: Principal, toolset: Choice['toolset']): boolean {
  // The tools that find the others are always listed.
  if (tool.set === META_SET) return true;
  const reach = tool.reach(who);
  if (toolset === null) return reach === 'reached' && !tool.extension;
  if (reach === 'unknown') return false;
  return toolset.has(tool.set) || toolset.has(ALL_TOOLS) || (toolset.has(CORE_TOOLS) && CORE.has(tool.shown.name));
}

export class Offer {
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  /** By name, for each form. */
  readonly #texts = {
    schemas: new Map<string, string>(),
    titled: new Map<string, string>(),
    plain: new Map<string, string>(),
  };
  readonly #lists = new Map<string, string>();

  constructor(tools: readonly OfferedTool[]) {
    this.#tools = new Map(
      [...tools]
        .sort((a, b) => (a.shown.name < b.shown.name ? -1 : 1))
        .map((tool): [string, OfferedTool] => [tool.shown.name, tool]),
    );
  }

  /** All tools, by name, for any caller. */
  get tools(): readonly OfferedTool[] {
    return [...this.#tools.values()];
  }

  /** A tool by its name, listed or not, for any caller: the call itself checks the caller's rights. */
  toolNamed(name: string): OfferedTool | null {
    return this.#tools.get(name) ?? null;
  }

  /** The tools listed for a caller, by name. */
  listed(who: Principal, toolset: Choice['toolset']): readonly OfferedTool[] {
    return this.tools.filter((tool) => isListed(tool, who, toolset));
  }

  #textOf({ shown }: OfferedTool, form: Form): string {
    const texts = this.#texts[form];
    const known = texts.get(shown.name);
    if (known !== undefined) return known;
    const made = shownText(shown, form);
    texts.set(shown.name, made);
    return made;
  }

  /** The list for a caller, as JSON. */
  listText(who: Principal, { structured }: Revision, { toolset, schemas }: Choice): string {
    const form: Form = structured ? (schemas ? 'schemas' : 'titled') : 'plain';
    const key = `${form} ${reachClass(who)}`;
    // Only lists without chosen sets are cached: sets have hundreds of combinations, with short lists.
    const known = toolset === null ? this.#lists.get(key) : undefined;
    if (known !== undefined) return known;
    const made = `[${this.listed(who, toolset)
      .map((tool) => this.#textOf(tool, form))
      .join(',')}]`;
    if (toolset === null && this.#lists.size < LISTS_MAX) this.#lists.set(key, made);
    return made;
  }
}

// A client's choice of tools by the query of its address: `?toolset=` and `?schemas=full`.

const TOOLSET = 'toolset';
const SCHEMAS = 'schemas';

const NAMES: readonly string[] = [CORE_TOOLS, ALL_TOOLS, ...SETS];

const NO_CHOICE: Choice = { toolset: null, schemas: false };

/** The choice of an address, or its problem. */
export function choiceOf(url: string): Choice | Fault {
  if (!url.includes('?')) return NO_CHOICE;
  const { searchParams } = new URL(url);
  const asked = searchParams
    .getAll(TOOLSET)
    .flatMap((each) => each.split(','))
    .filter(Boolean)
    .map((set) => OTHER_NAMES.get(set) ?? set);
  if (asked.some((set) => !NAMES.includes(set))) {
    return invalid({ path: TOOLSET, message: `no set has that name; the sets are ${NAMES.join(', ')}` });
  }
  const schemas = searchParams.get(SCHEMAS) ?? '';
  if (schemas !== '' && schemas !== 'full') return invalid({ path: SCHEMAS, message: 'must be full, or left out' });
  return { toolset: asked.length > 0 ? new Set(asked) : null, schemas: schemas === 'full' };
}

/** The query of an address with the same choice, to append after another parameter. */
export function choiceQuery(url: string): string {
  const { searchParams } = new URL(url);
  const kept = new URLSearchParams();
  for (const [name, value] of searchParams) if (name === TOOLSET || name === SCHEMAS) kept.append(name, value);
  return kept.size > 0 ? `&${kept}` : '';
}
