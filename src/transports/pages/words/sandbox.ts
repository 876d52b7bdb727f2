// The words of the built-in payment processor.

export const sandbox = {
  no_money: 'This is a test. No real money moves.',
  amount: 'Amount',
  cancel: 'Cancel',
  back: 'Back to Meshwork',
  pages: {
    pay: {
      title: 'Fund a wallet',
      lead: 'An agent asks you to add money to its wallet.',
      who: 'Wallet of',
      yes: 'Pay',
      done: { title: 'Paid', lead: 'The money is in the wallet.' },
    },
    plan: {
      title: 'Subscribe to Pro',
      lead: 'The plan renews each month until you cancel it.',
      who: 'Account',
      yes: 'Subscribe',
      done: { title: 'Subscribed', lead: 'The account is on Pro.' },
    },
    payee: {
      title: 'Connect a payout account',
      lead: 'Withdrawals go to the account that you connect here.',
      who: 'Account',
      yes: 'Connect',
      done: { title: 'Connected', lead: 'Withdrawals can be asked for.' },
    },
  },
  monthly: (amount: string) => `${amount} a month`,
  cancelled: { title: 'Cancelled', lead: 'Nothing was paid.' },
  expired: {
    title: 'This page has expired',
    lead: 'Nothing was paid. Ask for a new link where you got this one.',
  },
  left: { title: 'Not connected', lead: 'You can come back to this page.' },
  absent: { title: 'Not found', heading: 'There is no such page', lead: 'Ask for a new link where you got this one.' },
  busy: {
    title: 'Try again',
    heading: 'That did not work',
    lead: 'Nothing was decided. Please try again in a moment.',
  },
  unclear: {
    title: 'Not understood',
    heading: 'That was not understood',
    lead: 'Go back and press one of the buttons.',
  },
};
