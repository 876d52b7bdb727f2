// A bucket that speaks as much of S3 as backups need, on the loopback: objects, uploads in parts, lists in pages.
interface Upload {
  readonly key: string;
  readonly parts: Map<number, Uint8Array>;
}

export interface Bucket {
  readonly endpoint: string;
  readonly objects: Map<string, Uint8Array>;
  stop(): Promise<void>;
}

const xml = (text: string): Response => new Response(text, { headers: { 'Content-Type': 'application/xml' } });

function listed(objects: Bucket['objects'], asked: URLSearchParams): Response {
  const after = asked.get('start-after') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(asked.get('prefix') ?? '') && key > after).sort();
  const page = keys.slice(0, 2);
  const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  const more = keys.length > page.length;
  return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}</ListBucketResult>`);
}

export function openBucket(): Bucket {
  const objects = new Map<string, Uint8Array>();
  const uploads = new Map<string, Upload>();
  const post = (key: string, asked: URLSearchParams): Response => {
    if (asked.has('uploads')) {
      const id = `upload-${uploads.size}`;
      uploads.set(id, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const parts = [...(uploads.get(asked.get('uploadId') ?? '')?.parts ?? [])].sort(([a], [b]) => a - b);
    objects.set(key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    return xml('<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>');
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 1 << 28,
    fetch: async (request) => {
      const { pathname, searchParams: asked } = new URL(request.url);
      const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
      if (request.method === 'GET' && key === '') return listed(objects, asked);
      if (request.method === 'POST') return post(key, asked);
      if (request.method === 'DELETE') {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      if (request.method === 'PUT') {
        const bytes = new Uint8Array(await request.arrayBuffer());
        const upload = uploads.get(asked.get('uploadId') ?? '');
        if (upload) upload.parts.set(Number(asked.get('partNumber')), bytes);
        else objects.set(key, bytes);
        return new Response(null, { headers: { ETag: '"e"' } });
      }
      const found = objects.get(key);
      return found ? new Response(found.slice()) : new Response(null, { status: 404 });
    },
  });
  return { endpoint: `http://127.0.0.1:${server.port}`, objects, stop: () => server.stop(true) };
}
