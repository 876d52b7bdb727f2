// The operation about figures that a screen calls, by name.
import type { analyticsRead } from '../operations/analytics/read.ts';

/** What a person can learn of what happened around an agent. */
export interface AnalyticsOperations {
  readonly 'analytics.read': typeof analyticsRead;
}
