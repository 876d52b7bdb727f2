// A phone number without its punctuation, as it is written into a command.

/** Its digits behind a plus. */
export function plainPhone(phone: string): string {
  return `+${phone.replaceAll(/\D/g, '')}`;
}
