// The ceiling of every HTTP job: a bare Bun.serve that reads the body and answers the same bytes. No parsing, no
// routing. It runs as a process of its own, like the service that it is compared with.
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => new Response(await request.arrayBuffer()),
});

console.log(`listening on ${server.port}`);
