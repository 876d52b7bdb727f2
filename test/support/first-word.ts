// A first word to an agent at a running server: over HTTP the agent-to-agent protocol alone begins a conversation.

/** The body of POST /a2a/rpc. */
export function firstWord(to: string, text: string): object {
  const message = { role: 'user', parts: [{ type: 'text', text }] };
  return { jsonrpc: '2.0', id: 1, method: 'tasks/send', params: { message, metadata: { target_handle: to } } };
}

/** The id of the conversation that it went into; throws where it was refused. */
export function conversationOf(answer: unknown): string {
  const { result } = answer as { readonly result?: { readonly conversation_id: string } };
  if (!result) throw new Error(`a first word was refused: ${JSON.stringify(answer)}`);
  return result.conversation_id;
}
