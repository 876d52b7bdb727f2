/** Thrown by the ports of matching where this node has no index, and no node that has one answers; the pipeline refuses the call
 * with `matching_unavailable`. */
export class MatchingUnavailable extends Error {
  constructor() {
    super('no node answers that matches');
  }
}
