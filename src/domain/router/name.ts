// Names of capabilities: lowercase letters, digits, dot, dash or underscore, 3 to 64 characters (interface.md "Router capability, provider, call").

export const CAPABILITY_PATTERN = '^[a-z0-9._-]{3,64}$';

/** Fields that a provider may name of the payload of a capability which no catalogue knows. */
export const FIELDS_MAX = 50;
