// The knowledge of an agent on the wire. Only its own side reads it, so it never holds another party's words.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { namedObject } from './named.ts';
import { Id, iso, Time, visibleOrBlankText, visibleText } from './wire.ts';

const TITLE_MAX = 200;
const TEXT_MAX = 20_000;
export const QUESTION_MAX = 1_000;

export const KnowledgeInput = namedObject('KnowledgeInput', 'something that an agent is to know', {
  title: Type.Optional(visibleOrBlankText(TITLE_MAX, 'what it is about')),
  text: visibleText(TEXT_MAX),
  public: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: may be told to others who ask the agent; it then holds no private data of its person',
    }),
  ),
});

const ABOUT = {
  id: Id,
  title: Type.String({ description: 'empty where none was given' }),
  public: Type.Boolean({ description: 'whether others’ questions may be answered from it' }),
  created_at: Time,
};

export const AddedKnowledge = namedObject('AddedKnowledge', 'what an agent knows from now on', {
  ...ABOUT,
  characters: Type.Integer({ minimum: 1, description: 'how much it counts for' }),
});

const WHOLE = { ...ABOUT, text: Type.String() };

export const KnowledgeShape = namedObject('Knowledge', 'something that an agent knows', WHOLE);

export const FoundKnowledgeShape = namedObject('FoundKnowledge', 'something that an agent knows about what was asked', {
  ...WHOLE,
  score: Type.Number({ minimum: 0, maximum: 1, description: 'how well it answers; 1 is best' }),
  by_meaning: Type.Boolean({ description: 'false: ranked by its words alone, as long as its vector is not there' }),
});

export function knowledgeView(row: Row<'knowledge'>): Static<typeof KnowledgeShape> {
  const { id, title, text, created_at } = row;
  return { id, title, public: row.public === 1, created_at: iso(created_at), text };
}
