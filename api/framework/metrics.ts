/** What the API tells of each request; `bin/` counts it. */
export interface ApiMetrics {
  requestBegins(): void;
  requestEnds(request: {
    method: string;
    /** As the route declares it; null where there is none. */
    route: string | null;
    status: number;
    seconds: number;
  }): void;
}
