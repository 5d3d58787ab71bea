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
}
