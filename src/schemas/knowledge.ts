// The knowledge of an agent on the wire. Only its own side reads it, so it never holds another party's words.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { namedObject } from './named.ts';
import { Id, iso, Time, visibleOrBlankText, visibleText } from './wire.ts';

const TITLE_MAX = 200;
const TEXT_MAX = 20_000;
export const QUESTION_MAX = 1_000;

export const KnowledgeInput = namedObject('KnowledgeInput', 'a knowledge entry to add', {
  title: Type.Optional(visibleOrBlankText(TITLE_MAX, 'its topic')),
  text: visibleText(TEXT_MAX),
  public: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: may be used to answer others; it must not contain private data of its person',
    }),
  ),
});

const ABOUT = {
  id: Id,
  title: Type.String({ description: 'empty if none was given' }),
  public: Type.Boolean({ description: 'whether it may be used to answer others' }),
  created_at: Time,
};

export const AddedKnowledge = namedObject('AddedKnowledge', 'an added knowledge entry', {
  ...ABOUT,
  characters: Type.Integer({ minimum: 1, description: 'its length for the limit' }),
});

const WHOLE = { ...ABOUT, text: Type.String() };

export const KnowledgeShape = namedObject('Knowledge', 'a knowledge entry', WHOLE);

export const FoundKnowledgeShape = namedObject('FoundKnowledge', 'a knowledge entry found for a question', {
  ...WHOLE,
  score: Type.Number({ minimum: 0, maximum: 1, description: 'its relevance; 1 is best' }),
  by_meaning: Type.Boolean({ description: 'false: ranked by words only, until its vector exists' }),
});

export function knowledgeView(row: Row<'knowledge'>): Static<typeof KnowledgeShape> {
  const { id, title, text, created_at } = row;
  return { id, title, public: row.public === 1, created_at: iso(created_at), text };
}
