// What the tools, resources and prompts are made of that the conformance suite of MCP asks a server for. None of them is part of
// the service: they lie over its tables in tests alone.

import type { Level } from '../../../src/transports/mcp/remembered.ts';
import type { ClientRequest, InputNeeded, Round } from '../../../src/transports/mcp/rounds.ts';

// biome-ignore lint/suspicious/noExplicitAny: a fixture takes and gives whatever JSON the suite wants.
export type Json = Record<string, any>;

/** What a fixture can do while it runs. */
export interface FixtureCall extends Round {
  readonly responses: Readonly<Record<string, Json>>;
  /** What the client declared, as far as its revision tells that in a call. */
  readonly capabilities: Json | null;
  progress(progress: number, total: number): void;
  log(level: Level, data: unknown): void;
}

export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  run(args: Json, call: FixtureCall): Json | InputNeeded;
}

export function plainTool(name: string, description: string, run: FixtureTool['run']): FixtureTool {
  return { name, description, inputSchema: { type: 'object', properties: {} }, run };
}

/** The result of a tool that says a text. */
export function says(text: string): Json {
  return { content: [{ type: 'text', text }] };
}

/** A form for the person at the client. */
export function form(message: string, properties: Json, required: readonly string[] = []): ClientRequest {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
}

/** A question to the client's model. */
export function sample(text: string, maxTokens = 100): ClientRequest {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

/** The smallest picture there is. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** The shortest sound. */
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
