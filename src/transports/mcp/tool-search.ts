// Finds tools by what they are for: in their own words, and in those by which the documentation speaks of them, since who looks for one
// does not know how it is named.
import { makeWordSearch, type WordSearch } from '../../domain/text/word-search.ts';
import { builtInLanguage } from '../../outbound/embedder/built-in.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { Offer, OfferedTool } from './offer.ts';

/** The names of the tools that have to do with a query, the best first. */
export type ToolSearch = (query: string) => Promise<readonly string[]>;

const PREFIX = 'mesh_';

function searched({ shown: { name, title, description } }: OfferedTool, words: string) {
  const said = name.replace(PREFIX, '').replaceAll('_', ' ');
  return { title: `${title} ${said}`, keywords: words, about: '', text: description, merit: 1 };
}

/** In slices, between which others have their turn. */
async function searchOf(tools: readonly OfferedTool[], manual: DoorPorts['manual']): Promise<WordSearch> {
  await manual.prepare();
  const steps = makeWordSearch(
    tools.map((tool) => searched(tool, manual.wordsOf(tool.shown.name))),
    builtInLanguage,
  );
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What finds in an offer, the tools that find and call others aside. */
export function toolSearch(offer: () => Offer, manual: DoorPorts['manual']): ToolSearch {
  // Made at the first query, when the offer is whole.
  const make = async (): Promise<ToolSearch> => {
    const tools = offer().tools.filter(({ set }) => set !== 'meta');
    const search = await searchOf(tools, manual);
    return async (query) => search(query).ranked.flatMap(({ at }) => tools[at]?.shown.name ?? []);
  };
  let made: Promise<ToolSearch> | null = null;
  return async (query) => {
    made ??= make();
    return (await made)(query);
  };
}
