// What the operator set for this instance, as the server writes it into the page.
const given = (name: string): string | null =>
  document.querySelector(`meta[name="meshwork-${name}"]`)?.getAttribute('content') ?? null;

/** The names of the plans (`name` in PLANS). */
export const PLAN_NAMES = { free: given('plan-free') ?? 'free', pro: given('plan-pro') ?? 'pro' } as const;

export const TERMS_URL = given('terms');
export const PRIVACY_URL = given('privacy');
