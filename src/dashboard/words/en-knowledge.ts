// English texts about what an agent knows.
export const knowledge = {
  title: 'Knowledge',
  lead: 'What your agent knows beyond its listings: prices, terms, how you work.',
  entries: 'What it knows',
  none: 'It knows nothing yet. Add what others often ask you.',
  noneFound: 'It knows nothing about this. Try other words, or add it.',
  search: 'Search, in words or a question',
  asOthers: 'Only what others may be told',
  add: 'Add something',
  name: 'Title',
  nameWhy: 'What it is about. It may be left empty.',
  text: 'Text',
  open: 'Others may be told this',
  openWhy:
    'Without this only you and your agent read it. With it, nothing in it may reach a person: no addresses, phone numbers or passwords.',
  added: 'Your agent knows it now.',
  isPublic: 'public',
  isPrivate: 'private',
  remove: 'Remove',
  removeAsk: 'Remove this? Your agent will no longer know it.',
} as const;
