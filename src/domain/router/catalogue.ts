// The built-in capabilities (rules.md 9): names with one meaning and payloads specified by field, so that the first provider of
// each need not define a contract, and callers can switch providers unchanged.

/** The type of a field, as in JSON Schema; `strings` is a list of strings. */
export type FieldType = 'string' | 'integer' | 'number' | 'strings';

export interface PayloadField {
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  readonly example: string | number | readonly string[];
  readonly required: boolean;
}

export interface Capability {
  readonly name: string;
  readonly description: string;
  /** The known fields, the required ones first. */
  readonly fields: readonly PayloadField[];
}

type Told = readonly [type: FieldType, description: string, example: PayloadField['example']];

function capability(
  name: string,
  description: string,
  required: Readonly<Record<string, Told>>,
  optional: Readonly<Record<string, Told>> = {},
): Capability {
  const fieldsOf = (told: Readonly<Record<string, Told>>, isRequired: boolean): PayloadField[] =>
    Object.entries(told).map(([field, [type, about, example]]) => ({
      name: field,
      type,
      description: about,
      example,
      required: isRequired,
    }));
  return { name, description, fields: [...fieldsOf(required, true), ...fieldsOf(optional, false)] };
}

const url = (what: string, example: string): Told => ['string', `a public https address of ${what}`, example];
const LANGUAGE: Told = [
  'string',
  'the language, as a BCP 47 tag; told apart by the provider where it is left out',
  'de',
];
const ANSWER_LANGUAGE: Told = [
  'string',
  'the language of the answer, as a BCP 47 tag; that of the input unless said',
  'en',
];
const COUNTRY: Told = ['string', 'the country to look in, by its two letters (ISO 3166-1)', 'CH'];

/** The built-in catalogue, by name. */
export const CATALOGUE: readonly Capability[] = [
  capability(
    'audio.transcribe',
    'Speech in a recording as text.',
    { audio_url: url('the recording', 'https://files.example/call.mp3') },
    { language: LANGUAGE },
  ),
  capability(
    'code.review',
    'Remarks on a change of source code.',
    {
      diff: [
        'string',
        'the change, as a unified diff',
        '--- a/index.ts\n+++ b/index.ts\n@@ -1 +1 @@\n-let n = 1;\n+const n = 1;',
      ],
    },
    {
      language: ['string', 'the programming language', 'typescript'],
      guidelines: ['string', 'what to look for', 'No abbreviations in names.'],
    },
  ),
  capability(
    'company.lookup',
    'What public registers know of a company.',
    { name: ['string', 'what the company is called', 'Seilerei Brunner AG'] },
    {
      country: COUNTRY,
      registration_number: ['string', 'its number in the register', 'CHE-123.456.789'],
    },
  ),
  capability(
    'currency.convert',
    'An amount in another currency.',
    {
      amount: ['number', 'how much, in units of the currency', 125.5],
      from: ['string', 'the currency it is in, by its three letters (ISO 4217)', 'USD'],
      to: ['string', 'the currency that is wanted', 'EUR'],
    },
    { date: ['string', 'the day of the rate, as YYYY-MM-DD; the latest unless said', '2026-01-31'] },
  ),
  capability(
    'document.convert',
    'A document in another format.',
    {
      document_url: url('the document', 'https://files.example/offer.docx'),
      to: ['string', 'the format that is wanted, by its file ending', 'pdf'],
    },
    { from: ['string', 'the format it is in; told by the document unless said', 'docx'] },
  ),
  capability(
    'document.extract',
    'Fields read out of a document.',
    {
      document_url: url('the document', 'https://files.example/invoice.pdf'),
      fields: ['strings', 'what to read out', ['invoice_number', 'total', 'due_date']],
    },
    { language: LANGUAGE },
  ),
  capability(
    'geo.geocode',
    'The coordinates of a place.',
    { query: ['string', 'an address or the name of a place', 'Bahnhofstrasse 1, Zürich'] },
    { country: COUNTRY },
  ),
  capability(
    'image.describe',
    'What an image shows, in words.',
    { image_url: url('the image', 'https://files.example/harbour.jpg') },
    {
      question: ['string', 'what is to be known of it', 'How many boats are there?'],
      language: ANSWER_LANGUAGE,
    },
  ),
  capability(
    'image.generate',
    'An image made after a description.',
    { prompt: ['string', 'what it is to show', 'A harbour at dawn, in watercolour'] },
    {
      width: ['integer', 'in pixels', 1024],
      height: ['integer', 'in pixels', 768],
      style: ['string', 'the look', 'watercolour'],
    },
  ),
  capability(
    'speech.synthesize',
    'A text read aloud.',
    { text: ['string', 'what is to be read', 'The ferry leaves at nine.'] },
    {
      voice: ['string', 'a voice of the provider', 'calm'],
      language: LANGUAGE,
      format: ['string', 'the format of the recording, by its file ending', 'mp3'],
    },
  ),
  capability(
    'text.classify',
    'Which of several classes a text belongs to.',
    {
      text: ['string', 'the text', 'My parcel has not arrived.'],
      classes: ['strings', 'the classes to choose from', ['delivery', 'billing', 'praise']],
    },
    { language: LANGUAGE },
  ),
  capability(
    'text.summarize',
    'A text in fewer words.',
    { text: ['string', 'the text', 'The council met on Tuesday and after two hours agreed on …'] },
    {
      max_words: ['integer', 'how long the summary may be', 60],
      language: ANSWER_LANGUAGE,
    },
  ),
  capability(
    'text.translate',
    'A text in another language.',
    {
      text: ['string', 'the text', 'Where is the harbour?'],
      to: ['string', 'the language that is wanted, as a BCP 47 tag', 'fr'],
    },
    {
      from: ['string', 'the language it is in; told by the text unless said', 'en'],
      tone: ['string', 'how it is to sound', 'formal'],
    },
  ),
  capability(
    'web.extract',
    'The readable part of a page.',
    { url: url('the page', 'https://news.example/2026/harbour') },
    { format: ['string', 'markdown, text or html', 'markdown'] },
  ),
  capability(
    'web.screenshot',
    'A picture of a page.',
    { url: url('the page', 'https://shop.example') },
    { width: ['integer', 'of the window, in pixels', 1280], height: ['integer', 'of the window, in pixels', 800] },
  ),
  capability(
    'web.search',
    'Pages of the web that answer a question.',
    { query: ['string', 'what is looked for', 'rope makers near Zürich'] },
    { limit: ['integer', 'how many at most', 10], language: ANSWER_LANGUAGE },
  ),
];

const BY_NAME: ReadonlyMap<string, Capability> = new Map(CATALOGUE.map((entry) => [entry.name, entry]));

/** The entry of a name; null for a capability outside the catalogue. */
export function inCatalogue(name: string): Capability | null {
  return BY_NAME.get(name) ?? null;
}

const SCHEMAS: Readonly<Record<FieldType, Readonly<Record<string, unknown>>>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  strings: { type: 'array', items: { type: 'string' } },
};

/** The JSON Schema of a capability's payload. Other fields belong to a provider. */
export function payloadSchema({ fields }: Pick<Capability, 'fields'>): Record<string, unknown> {
  const properties = fields.map(({ name, type, description, example }) => [
    name,
    { ...SCHEMAS[type], description, examples: [example] },
  ]);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}
