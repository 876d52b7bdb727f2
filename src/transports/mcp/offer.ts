// The tools of this door: what is shown of each, to whom, and how it is called. Each is rendered once for each way to show it, and
// the list of a class of callers is put together once and kept as text.
import type { Principal } from '../../operations/context.ts';
import type { ToolSet } from '../../operations/tool.ts';
import type { Json } from '../openapi/shapes.ts';
import type { Annotations } from '../tools.ts';
import type { Exchange, Outcome } from './exchange.ts';
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

/** What a set is called too: its tools are the matching engine's, and its right is `matching:run`. */
export const OTHER_NAMES: ReadonlyMap<string, (typeof SETS)[number]> = new Map([['matching', 'matches']]);

/** What is shown of a tool. */
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

/** A tool as this door offers it. */
export interface OfferedTool {
  readonly set: (typeof SETS)[number];
  readonly shown: ShownTool;
  /** Whether it is there for a caller. */
  reach(who: Principal): Reach;
  call(exchange: Exchange, call: ToolCall): Outcome | Promise<Outcome>;
}

/** Kept lists; there are three for most services, and provisional keys of old may have other rights. */
const LISTS_MAX = 64;

/** What a client of some revision is shown. Revisions before the structured ones name a tool in its annotations. */
function shownText(shown: ShownTool, structured: boolean): string {
  if (structured) return JSON.stringify(shown);
  const { outputSchema: _output, title, annotations, ...rest } = shown;
  return JSON.stringify({ ...rest, annotations: { title, ...annotations } });
}

export class Offer {
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  /** By name, for each way to show it. */
  readonly #texts = { structured: new Map<string, string>(), plain: new Map<string, string>() };
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

  /** The tools that are there for a caller, by name. */
  *toolsFor(who: Principal): Generator<OfferedTool> {
    for (const tool of this.#tools.values()) if (tool.reach(who) !== 'unknown') yield tool;
  }

  /** A tool that is there for a caller. */
  toolNamed(name: string, who: Principal): OfferedTool | null {
    const tool = this.#tools.get(name);
    return tool && tool.reach(who) !== 'unknown' ? tool : null;
  }

  #textOf({ shown }: OfferedTool, structured: boolean): string {
    const texts = structured ? this.#texts.structured : this.#texts.plain;
    const known = texts.get(shown.name);
    if (known !== undefined) return known;
    const made = shownText(shown, structured);
    texts.set(shown.name, made);
    return made;
  }

  #made(who: Principal, structured: boolean, toolset: ReadonlySet<string> | null): string {
    const texts: string[] = [];
    for (const tool of this.toolsFor(who)) {
      // What leads to the others is always there.
      const isAsked = toolset === null || toolset.has(tool.set) || tool.set === META_SET;
      if (isAsked) texts.push(this.#textOf(tool, structured));
    }
    return `[${texts.join(',')}]`;
  }

  /** The list for a caller, as JSON. */
  listText(who: Principal, { structured }: Revision, toolset: ReadonlySet<string> | null): string {
    // Sets can be put together in hundreds of ways; what is chosen of them is short.
    if (toolset !== null) return this.#made(who, structured, toolset);
    const key = `${structured} ${reachClass(who)}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const made = this.#made(who, structured, null);
    if (this.#lists.size < LISTS_MAX) this.#lists.set(key, made);
    return made;
  }
}
