// The tools of this door: what is shown of each, to whom, and how it is called. Each is rendered once for each way to show it, and
// the list of a class of callers is put together once and kept as text.
import type { Principal } from '../../contract/context.ts';
import type { ToolSet } from '../../contract/tool.ts';
import type { Json } from '../openapi/shapes.ts';
import type { Annotations } from '../tools.ts';
import type { Choice, Exchange, Outcome } from './exchange.ts';
import { type Reach, reachClass } from './reach.ts';
import type { Revision } from './revisions.ts';

/** The set of the tools that find and call the others. */
const META_SET = 'meta';

/** The sets by which a client chooses what is listed. */
export const SETS = [
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

/** All tools, whatever their sets. */
export const ALL_TOOLS = 'all';
/** The tools of the main job, from a listing to a review: what a model with little room is shown. */
export const CORE_TOOLS = 'core';

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

/** What a set is called too: its tools are the matching engine's, and its right is `matching:run`. */
export const OTHER_NAMES: ReadonlyMap<string, (typeof SETS)[number]> = new Map([['matching', 'matches']]);

export interface ShownTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations: Annotations;
}

/** A call of a tool, beside the request that it came by. */
export interface ToolCall {
  readonly given: Json;
  readonly idempotency_key: string | null;
}

export interface OfferedTool {
  readonly set: (typeof SETS)[number];
  /** Beyond the tools of the interface. */
  readonly extension: boolean;
  readonly shown: ShownTool;
  /** How far a caller gets with it. */
  reach(who: Principal): Reach;
  /** The right by which a caller would reach it, where the caller does not. */
  lacks(who: Principal): string | null;
  call(exchange: Exchange, call: ToolCall): Outcome | Promise<Outcome>;
}

/** Kept lists: one for each set of rights that callers have. */
const LISTS_MAX = 64;

/** What a client of some revision is shown. Revisions before the structured ones name a tool in its annotations. */
function shownText({ outputSchema, ...shown }: ShownTool, form: Form): string {
  if (form === 'schemas') return JSON.stringify({ ...shown, outputSchema });
  const { title, annotations, ...rest } = shown;
  return JSON.stringify(form === 'titled' ? shown : { ...rest, annotations: { title, ...annotations } });
}

type Form = 'schemas' | 'titled' | 'plain';

function isListed(tool: OfferedTool, who: Principal, toolset: Choice['toolset']): boolean {
  // What leads to the others is always there.
  if (tool.set === META_SET) return true;
  const reach = tool.reach(who);
  if (toolset === null) return reach === 'reached' && !tool.extension;
  if (reach === 'unknown') return false;
  return toolset.has(tool.set) || toolset.has(ALL_TOOLS) || (toolset.has(CORE_TOOLS) && CORE.has(tool.shown.name));
}

export class Offer {
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  /** By name, for each way to show it. */
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

  /** All tools, by name, whoever asks. */
  get tools(): readonly OfferedTool[] {
    return [...this.#tools.values()];
  }

  /** A tool by its name, listed or not, whoever calls: a call beyond a caller's rights is refused for them. */
  toolNamed(name: string): OfferedTool | null {
    return this.#tools.get(name) ?? null;
  }

  /** The tools that a caller is shown, by name. */
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
    // Sets can be put together in hundreds of ways; what is chosen of them is short.
    const known = toolset === null ? this.#lists.get(key) : undefined;
    if (known !== undefined) return known;
    const made = `[${this.listed(who, toolset)
      .map((tool) => this.#textOf(tool, form))
      .join(',')}]`;
    if (toolset === null && this.#lists.size < LISTS_MAX) this.#lists.set(key, made);
    return made;
  }
}
