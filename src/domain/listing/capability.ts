// The capabilities that exist before anybody offers them: names with one meaning, so that the first provider of each need
// not invent a contract. A name is lowercase letters, digits, dot, dash or underscore (interface.md, Limits).

export interface Capability {
  readonly name: string;
  readonly description: string;
  /** Fields of a payload that providers understand; the required ones are among them. */
  readonly accepted_fields: readonly string[];
  readonly required_fields: readonly string[];
}

const capability = (
  name: string,
  description: string,
  required_fields: readonly string[],
  optional_fields: readonly string[] = [],
): Capability => ({ name, description, accepted_fields: [...required_fields, ...optional_fields], required_fields });

/** The built-in catalogue (decisions.md 9), by name. */
export const CAPABILITIES: readonly Capability[] = [
  capability('audio.transcribe', 'Speech in a recording as text.', ['audio_url'], ['language']),
  capability('code.review', 'Remarks on a change of source code.', ['diff'], ['language', 'guidelines']),
  capability(
    'company.lookup',
    'What public registers know of a company.',
    ['name'],
    ['country', 'registration_number'],
  ),
  capability('currency.convert', 'An amount in another currency.', ['amount', 'from', 'to'], ['date']),
  capability('document.convert', 'A document in another format.', ['document_url', 'to'], ['from']),
  capability('document.extract', 'Fields read out of a document.', ['document_url', 'fields'], ['language']),
  capability('geo.geocode', 'The coordinates of a place.', ['query'], ['country']),
  capability('image.describe', 'What an image shows, in words.', ['image_url'], ['question', 'language']),
  capability('image.generate', 'An image made after a description.', ['prompt'], ['width', 'height', 'style']),
  capability('speech.synthesize', 'A text read aloud.', ['text'], ['voice', 'language', 'format']),
  capability('text.classify', 'Which of several classes a text belongs to.', ['text', 'classes'], ['language']),
  capability('text.summarize', 'A text in fewer words.', ['text'], ['max_words', 'language']),
  capability('text.translate', 'A text in another language.', ['text', 'to'], ['from', 'tone']),
  capability('web.extract', 'The readable part of a page.', ['url'], ['format']),
  capability('web.screenshot', 'A picture of a page.', ['url'], ['width', 'height']),
  capability('web.search', 'Pages of the web that answer a question.', ['query'], ['limit', 'language']),
];
