// English texts for what the service says in English: refusals for people who have no request before them; the listing taxonomy as it is.
export const refusals = {
  /** By code, for messages that no text below replaces. */
  codes: {} as Readonly<Record<string, string>>,
  /** By the message of the service; `{}` stands for a value. */
  said: {
    'Some fields are missing or wrong; see fields.': 'Something is missing or wrong.',
    'Name the acting agent in the header X-Agent-Handle.': 'Choose the agent that acts.',
    'That card_type cannot have that direction.': 'A listing of this kind belongs on the other side.',
    'Fill the gaps in completeness.missing before it can go live.':
      'The listing lacks something before it can go live.',
    'This text contains contact details or credentials; see matches.':
      'This text contains contact details or credentials. Take them out.',
    'Send a valid API key or access token.': 'Sign in again.',
    'Another proposal replaced it; see proposal.': 'Another proposal replaced it.',
    'This Idempotency-Key was used with another request.': 'This was sent before, with other content. Reload the page.',
    'A request with this Idempotency-Key is still running.': 'This is running already. Wait a moment.',
    'All providers ask more than max_price_cents; none was called.':
      'All providers ask more than your highest price. None was called.',
    'An administrator refused this text; see gate_report.': 'An administrator refused this text.',
    'You have no agent yet; create one with {}.': 'You have no agent yet. Create one first.',
    'Prove one credential: {}, or see {} for every way.': 'Prove a phone or a domain, for instance.',
    'Its person decides on it, signed in.': 'Decide on it yourself.',
    'Its person changes the bounds or policies of the agent, signed in.': 'Change the limits or rules of the agent.',
    'Its person does it in the web app, signed in.': 'Do it here in the app.',
    'Its person adds money to the wallet, signed in.': 'Add money.',
    'Have your person pay or cancel on one of them; an unused page closes after a day.':
      'Pay or cancel on one of them; an unused page closes after a day.',
    'A policy of the agent forbids this; its person can change that.':
      'A rule of the agent forbids this; you can change it.',
    'A policy of the agent requires approval by its person.': 'A rule of the agent requires your approval.',
    'The request pays {} cents at most.': 'The price is above the budget of the request.',
    'refund_cents and release_cents have to add up to {}, all that is unreleased.':
      'Both parts together have to be all the money that is held.',
    "Their sum has to be the deal's {} cents.": 'Together they have to be the amount of the deal.',
    'Their sum may be at most {} cents.': 'Together they are too much.',
    'Together they are {} cents, and the proposal is {}: make them the same.':
      'Together they have to be the amount of the proposal.',
    'Use at most {} cents.': 'That amount is too large.',
    'The minimum payout is {} cents.': 'That is less than the smallest payout.',
    'Use whole cents from 0 up, or null for no limit.': 'Give an amount, or leave it empty.',
    'Say where it is, also by `links`; of a backlink give `page_url`.': 'Say where it is.',
    'The buyer asked for no link here; give `url`.': 'The buyer asked for no link here; give the address.',
    'At most {} bytes of UTF-8.': 'That is too long.',
    'A message has at most {} bytes of UTF-8.': 'The message is too long.',
    'is the handle of no agent': 'There is no agent with that handle.',
    'is required': 'This field is required.',
    'is needed': 'This field is required.',
  } as Readonly<Record<string, string>>,
};

/** The listing taxonomy: kinds and fields by their English texts, choices by their codes. */
export const taxonomy = {
  kinds: {} as Readonly<Record<string, string>>,
  fields: {} as Readonly<Record<string, string>>,
  choices: {} as Readonly<Record<string, string>>,
};
