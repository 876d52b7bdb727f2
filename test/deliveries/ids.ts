// Follows a stream of events as it comes, for the ids that it tells.

async function follow(body: ReadableStream<Uint8Array>, kind: string, ids: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (!block.includes(`event: ${kind}\n`)) continue;
      ids.push(JSON.parse(block.match(/^data: (.*)$/m)?.[1] ?? '{}').id);
    }
  }
}

/** The ids of the events of a kind, in a list that grows as long as the stream is open. */
export function idsOf({ body }: Response, kind: string): readonly string[] {
  if (!body) throw new Error('a stream without a body');
  const ids: string[] = [];
  // It ends with the service, which cuts its streams.
  void follow(body, kind, ids).catch(() => {});
  return ids;
}
