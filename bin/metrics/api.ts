import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ApiMetrics } from '../../api/framework/deps.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Buckets in seconds, up to the longest gateway call. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Counts requests by the path that their route declares. Paths from clients never become labels. */
export function apiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'perennial_http_requests_total',
    help: 'Answered requests',
    registers,
    labelNames: ['method', 'route', 'status'],
  });
  const durations = new Histogram({
    name: 'perennial_http_request_duration_seconds',
    help: 'Duration of requests',
    registers,
    buckets: SECONDS,
    labelNames: ['method', 'route'],
  });
  const inFlight = new Gauge({
    name: 'perennial_http_requests_in_flight',
    help: 'Requests in progress',
    registers,
  });
  return {
    requestBegins: () => inFlight.inc(),
    requestEnds({ method: sent, route: declared, status, seconds }) {
      const method = METHODS.has(sent) ? sent : 'other';
      const route = declared ?? 'none';
      inFlight.dec();
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    watchRequests({ atWork, unfinished }) {
      countedGauge(registry, { name: 'perennial_http_requests_at_work', help: 'Requests that have a place' }, atWork);
      countedGauge(
        registry,
        { name: 'perennial_http_bodies_unfinished', help: 'Requests whose body has not arrived completely' },
        unfinished,
      );
    },
  };
}

/** A gauge that counts when it is read. */
function countedGauge(registry: Registry, named: { name: string; help: string }, count: () => number): void {
  new Gauge({
    ...named,
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}
