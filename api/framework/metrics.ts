/** The API reports each request here. `bin/metrics/api.ts` counts them. */
export interface ApiMetrics {
  requestBegins(): void;
  requestEnds(request: {
    method: string;
    /** Path as the route declares it; null without a route. */
    route: string | null;
    status: number;
    seconds: number;
  }): void;
  /** Called once, with functions that count. `atWork`: requests that have a place; `unfinished`: bodies that have not arrived completely. */
  watchRequests(counts: { atWork(): number; unfinished(): number }): void;
}
