// Stands for the types that scripts/build-client makes of the OpenAPI document and puts in this place: the few that the
// written files name, so that they are checked here as well.

/** The shapes that operations take and answer, by name. */
export interface components {
  schemas: {
    InboxEventHead: { id: string; seq: number; epoch?: number; handle: string };
    InboxEvent: components['schemas']['InboxEventHead'] &
      ({ kind: 'match.created'; data: { match_id: string } } | { kind: 'test.ping'; data: { message: string } });
    WebhookEvent: {
      id: string;
      seq: number;
      epoch: number;
      type: string;
      event: string;
      timestamp: string;
      data: { handle: string };
    };
    InboxPage: {
      events: components['schemas']['InboxEvent'][];
      cursor: number;
      has_more: boolean;
      next_poll_seconds: number;
      epoch: number;
      reset?: true;
      reset_after?: number;
    };
    Notification: { id: string };
  };
}

/** What each operation takes and answers. */
export interface operations {
  'inbox.pull': {
    parameters: { query?: { after?: number; limit?: number; peek?: boolean } };
    responses: { 200: { content: { 'application/json': components['schemas']['InboxPage'] } } };
  };
  'inbox.stream': {
    parameters: { query?: { after?: number } };
    responses: { 200: { content: { 'text/event-stream': string } } };
  };
}
