// The exports of the package meshwork-client.
import type { components, operations } from './api.ts';
import { type ClientOptions, MeshworkClient } from './client.ts';
import { type ErrorCode, type FieldProblem, MeshworkError } from './error.ts';
import type { EventOf, Handlers, Inbox, InboxEvent, InboxReset, OtherEvent } from './inbox.ts';
import type { EventKind, FaultCode } from './operations.ts';
import type { Page, Pages } from './pages.ts';
import type { Credential } from './send.ts';
import type { Streaming } from './stream.ts';
import type { CallOptions, InboxOptions, Input, OperationName, Output } from './types.ts';
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.ts';

export type {
  CallOptions,
  ClientOptions,
  Credential,
  components,
  ErrorCode,
  EventKind,
  EventOf,
  FaultCode,
  FieldProblem,
  Handlers,
  Inbox,
  InboxEvent,
  InboxOptions,
  InboxReset,
  Input,
  OperationName,
  OtherEvent,
  Output,
  operations,
  Page,
  Pages,
  Streaming,
  WebhookEvent,
  WebhookHeaders,
};
export { MeshworkClient, MeshworkError, verifyWebhook };
