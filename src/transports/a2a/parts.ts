// Reads and writes parts of messages in each dialect (A2A 0.3 `Part`, A2A 1.0 section 4.1.6). Internally a part has one of three
// kinds. Another party's content is marked with its origin (rules.md 10); the reader's own is not.

import { type Static, Type } from 'typebox';
import type { FieldProblem } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { isObject } from '../../domain/json.ts';
import type { Part } from './values.ts';

export interface Reader {
  /** The acting agent; null for a caller without one. */
  readonly handle: string | null;
  /** The service's own agent, whose content is not marked. */
  readonly platform_handle: string;
}

/** The mark of another party's content. */
export type Mark = Readonly<Record<string, string>>;

/** The mark for an author; null for the reader or the service. */
export function markFor(author: string, { handle, platform_handle }: Reader): Mark | null {
  if (author === handle || author === platform_handle) return null;
  return { 'meshwork/origin': 'counterparty', 'meshwork/handle': author };
}

const marked = (mark: Mark | null): Json => (mark ? { metadata: mark } : {});
/** The most media types, tasks, schemes or labels in a call; clients name a few. */
export const NAMES_MAX = 64;

const Text = Type.Optional(Type.String());
const Metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

/** A part of 1.0: one of the four contents. */
export const CurrentPart = Type.Object({
  text: Text,
  raw: Text,
  url: Text,
  data: Type.Optional(Type.Unknown()),
  mediaType: Text,
  filename: Text,
  metadata: Metadata,
});

/** A part of 0.3 (`kind`) and of the oldest dialect (`type`). */
export const KindPart = Type.Object({
  kind: Text,
  type: Text,
  text: Text,
  data: Type.Optional(Type.Unknown()),
  file: Type.Optional(Type.Object({ uri: Text, bytes: Text, mimeType: Text, name: Text })),
  metadata: Metadata,
});

/** A part of 0.3 as its HTTP binding writes it, by its protocol buffers. */
export const ProtoPart = Type.Object({
  text: Text,
  file: Type.Optional(
    Type.Object({ fileWithUri: Text, fileWithBytes: Text, mimeType: Text, mime_type: Text, name: Text }),
  ),
  data: Type.Optional(Type.Object({ data: Type.Optional(Type.Unknown()) })),
  metadata: Metadata,
});

/** The result of reading a part. */
export type ReadPart = Part | FieldProblem;

function fileOf(from: { url?: string; bytes?: string }, media_type?: string, name?: string): Part {
  return {
    kind: 'file',
    ...from,
    ...(media_type && { media_type }),
    ...(name && { name }),
  };
}

/** Reads a part of 1.0. */
export function readCurrentPart(part: Static<typeof CurrentPart>, path: string): ReadPart {
  const { text, raw, url, data, mediaType, filename } = part;
  const given = [text, raw, url, data].filter((content) => content !== undefined);
  // Null counts as data when alone, and is ignored beside another content.
  const said = given.length > 1 ? given.filter((content) => content !== null) : given;
  if (said.length !== 1) return { path, message: 'must have exactly one of text, raw, url and data' };
  if (text !== undefined) return { kind: 'text', text };
  if (raw !== undefined) return fileOf({ bytes: raw }, mediaType, filename);
  if (url !== undefined) return fileOf({ url }, mediaType, filename);
  return { kind: 'data', data };
}

/** The mark by which SDKs of 0.3 wrap data that is no object. */
const WRAPPED = 'data_part_compat';

function unwrapped({ data, metadata }: Static<typeof KindPart>): unknown {
  const wraps = metadata?.[WRAPPED] === true && typeof data === 'object' && data !== null && 'value' in data;
  return wraps ? data.value : data;
}

/** Reads a part of 0.3 and of the oldest dialect. */
export function readKindPart(part: Static<typeof KindPart>, path: string): ReadPart {
  const { text, data, file } = part;
  switch (part.kind ?? part.type) {
    case 'text':
      return text === undefined ? { path: `${path}.text`, message: 'is required' } : { kind: 'text', text };
    case 'data':
      if (data === undefined) return { path: `${path}.data`, message: 'is required' };
      return { kind: 'data', data: unwrapped(part) };
    case 'file':
      if (file?.uri !== undefined) return fileOf({ url: file.uri }, file.mimeType, file.name);
      if (file?.bytes !== undefined) return fileOf({ bytes: file.bytes }, file.mimeType, file.name);
      return { path: `${path}.file`, message: 'must have uri or bytes' };
    default:
      return { path: `${path}.kind`, message: 'must be text, file or data' };
  }
}

/** Reads a part of 0.3's HTTP binding. */
export function readProtoPart({ text, file, data }: Static<typeof ProtoPart>, path: string): ReadPart {
  if (text !== undefined) return { kind: 'text', text };
  const media_type = file?.mimeType ?? file?.mime_type;
  if (file?.fileWithUri !== undefined) return fileOf({ url: file.fileWithUri }, media_type, file.name);
  if (file?.fileWithBytes !== undefined) return fileOf({ bytes: file.fileWithBytes }, media_type, file.name);
  if (data?.data !== undefined) return { kind: 'data', data: data.data };
  return { path, message: 'must have text, file or data' };
}

export type WritePart = (part: Part, mark: Mark | null) => Json;

/** As 1.0 writes it. */
export const writeCurrentPart: WritePart = (part, mark) => {
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...marked(mark) };
    case 'data':
      return { data: part.data, ...marked(mark) };
    case 'file':
      return {
        ...(part.url === undefined ? { raw: part.bytes ?? '' } : { url: part.url }),
        ...(part.media_type && { mediaType: part.media_type }),
        ...(part.name && { filename: part.name }),
        ...marked(mark),
      };
  }
};

/** The form of 0.3 and the oldest dialect, which name the discriminator differently. */
export function kindPartWriter(discriminator: 'kind' | 'type'): WritePart {
  return (part, mark) => {
    const kind = { [discriminator]: part.kind };
    switch (part.kind) {
      case 'text':
        return { ...kind, text: part.text, ...marked(mark) };
      case 'data':
        if (isObject(part.data)) return { ...kind, data: part.data, ...marked(mark) };
        return { ...kind, data: { value: part.data }, metadata: { ...mark, [WRAPPED]: true } };
      case 'file': {
        const content = part.url === undefined ? { bytes: part.bytes ?? '' } : { uri: part.url };
        const file = {
          ...content,
          ...(part.media_type && { mimeType: part.media_type }),
          ...(part.name && { name: part.name }),
        };
        return { ...kind, file, ...marked(mark) };
      }
    }
  };
}

/** As the HTTP binding of 0.3 writes it. */
export const writeProtoPart: WritePart = (part, mark) => {
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...marked(mark) };
    case 'data':
      return { data: { data: isObject(part.data) ? part.data : { value: part.data } }, ...marked(mark) };
    case 'file': {
      const content = part.url === undefined ? { fileWithBytes: part.bytes ?? '' } : { fileWithUri: part.url };
      const file = {
        ...content,
        ...(part.media_type && { mimeType: part.media_type }),
        ...(part.name && { name: part.name }),
      };
      return { file, ...marked(mark) };
    }
  }
};
