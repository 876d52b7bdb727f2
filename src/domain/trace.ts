// The trace of a request (W3C Trace Context): parsed strictly, stored as one text, and propagated with a span of its own.
// Without one, no trace is started: callers start traces.

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The defined flags: sampled, and random trace id. */
const FLAGS = 0x03;

/** W3C Trace Context 3.3.1.5: the length of a tracestate that must be propagated, and its most members. */
const STATE_CHARACTERS_MAX = 512;
const STATE_MEMBERS_MAX = 32;
/** `00-`, 32 digits, `-`, 16 digits, `-`, 2 digits. */
const PARENT_LENGTH = 55;
/** Headers longer than in any version of the specification are ignored. */
const PARENT_CHARACTERS_MAX = 256;

/** A tracestate to propagate; null for one that is too long or malformed. */
function stateOf(text: string | null): string | null {
  if (text === null || text.length > STATE_CHARACTERS_MAX || !/^[\x20-\x7e\t]*$/.test(text)) return null;
  const members = text.split(',').map((member) => member.trim());
  const named = members.filter((member) => member !== '');
  if (named.length === 0 || named.length > STATE_MEMBERS_MAX) return null;
  return named.every((member) => /^[a-z0-9][a-z0-9_\-*/@]*=[^=]+$/.test(member)) ? named.join(',') : null;
}

/** The stored trace of two headers: the traceparent, and after a space the tracestate if there is one. Null without a valid
 * traceparent; an invalid tracestate alone is left out. */
export function traceOf(traceparent: string | null, tracestate: string | null): string | null {
  if (traceparent === null || traceparent.length > PARENT_CHARACTERS_MAX) return null;
  const [, version = '', id = '', span = '', flags = '', rest] = PARENT.exec(traceparent.trim()) ?? [];
  if (version === '' || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(id) || /^0+$/.test(span)) return null;
  const kept = (Number.parseInt(flags, 16) & FLAGS).toString(16).padStart(2, '0');
  const state = stateOf(tracestate);
  return `00-${id}-${span}-${kept}${state === null ? '' : ` ${state}`}`;
}

/** The span of a trace, and whether its caller records it. */
export function parentOf(trace: string): { trace_id: string; span_id: string; sampled: boolean } {
  const flags = Number.parseInt(trace.slice(53, PARENT_LENGTH), 16);
  return { trace_id: traceId(trace), span_id: trace.slice(36, 52), sampled: (flags & 1) === 1 };
}

/** The id of a trace, for logs. */
export function traceId(trace: string): string {
  return trace.slice(3, 35);
}

/** The headers that propagate a trace to a call, as a span of its own: `span` is 16 hexadecimal digits. */
export function traceHeaders(trace: string | null, span: string): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const state = trace.slice(PARENT_LENGTH + 1);
  const traceparent = `${trace.slice(0, 36)}${span}${trace.slice(52, PARENT_LENGTH)}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}
