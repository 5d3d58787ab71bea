import { Counter, Histogram, type Registry } from 'prom-client';
import type { WorkerMetrics } from '../../workers/metrics.ts';

/** Buckets in seconds, from a transaction with a few statements to one that waits for a lock. */
const STEP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Buckets in seconds, from events that are sent at once to those of an endpoint that was slow for an hour. */
const SENT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

export function workerMetrics(registry: Registry): WorkerMetrics {
  const counter = <const Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `perennial_${name}_total`, help, labelNames, registers: [registry] });
  const claimed = counter('relay_claimed_rows', 'Outbox rows leased by the relay');
  const woken = counter('relay_wakes', 'Outbox rows whose process was woken or failed to be woken', 'result');
  const appended = counter('relay_appended_events', 'Events appended to the log');
  const steps = counter('process_steps', 'Steps of processes', 'process', 'result');
  const attempts = counter('attempts', 'Attempts run or looked up at a gateway', 'result');
  const deliveries = counter('webhook_attempts', 'Attempts to deliver an event', 'outcome');
  const emails = counter('emails', 'Attempts to send an email', 'outcome');
  const durations = new Histogram({
    name: 'perennial_process_step_duration_seconds',
    help: 'Duration of steps',
    registers: [registry],
    labelNames: ['process'],
    buckets: STEP_SECONDS,
  });
  const latencies = new Histogram({
    name: 'perennial_webhook_first_attempt_latency_seconds',
    help: 'Time from an event to the first attempt to deliver it, in seconds',
    registers: [registry],
    buckets: SENT_SECONDS,
  });
  return {
    claimed: (rows) => claimed.inc(rows),
    woken: (result, rows) => woken.inc({ result }, rows),
    appended: (events) => appended.inc(events),
    stepped: (process, result, seconds) => {
      steps.inc({ process, result });
      durations.observe({ process }, seconds);
    },
    attempted: (result) => attempts.inc({ result }),
    delivered: (outcome) => deliveries.inc({ outcome }),
    firstSent: (seconds) => latencies.observe(seconds),
    mailed: (outcome) => emails.inc({ outcome }),
  };
}
