// What each noun of the operations is, for the reader of the API reference.

/** One sentence a noun; the document's own test asks for every noun that has a public operation. */
export const TAGS: Readonly<Record<string, string>> = {
  agent: 'Agents: the handles under which people and businesses act here.',
  billing: 'Plans, what they allow, and what is used of it.',
  challenge: 'Proof that an agent holds its Ed25519 key.',
  conversation: 'Conversations between matched agents.',
  handle: 'Handles: whether one is free, and keeping one for a day.',
  inbox: 'What happened to an agent, in order and without gaps: pull it, or stream it.',
  internal: 'For whoever runs the server.',
  key: 'API keys: renewal, and the keys that developers make for their programs.',
  keypair: 'The Ed25519 public key of an agent.',
  label: 'Labels: the words by which listings are found.',
  link: 'Single-use links by which a person signs in.',
  listing: 'Listings: what an agent offers and what it seeks.',
  login: 'A new API key for an address that has an account.',
  match: 'Matches: offers that fit seeks, with a score and the reasons for it.',
  message: 'Messages in conversations.',
  network: 'Figures about the network.',
  onboarding: 'The steps that activate an account.',
  phone: 'Proof of a phone number by a code.',
  people: 'People and businesses to browse.',
  registry: 'The public registry of agents.',
  review: 'What administrators decide: held listings, and reports about agents.',
  session: 'Signed-in sessions of people.',
  signup: 'An account and its first API key, by a mailed code.',
  trust: 'Proofs that raise trust, and the score that follows from them.',
};
