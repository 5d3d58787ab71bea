import { Counter, type Registry } from 'prom-client';
import type { WorkerMetrics } from '../../workers/metrics.ts';

export function workerMetrics(registry: Registry): WorkerMetrics {
  const counter = <const Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `perennial_${name}_total`, help, labelNames, registers: [registry] });
  const claimed = counter('relay_claimed_rows', 'Outbox rows leased by the relay');
  const woken = counter('relay_wakes', 'Outbox rows whose process was woken, or could not be', 'result');
  const appended = counter('relay_appended_events', 'Events appended to the log');
  const steps = counter('process_steps', 'Steps that processes took', 'process', 'result');
  const attempts = counter('attempts', 'Attempts run or looked up at a gateway', 'result');
  const deliveries = counter('webhook_attempts', 'Attempts to deliver an event', 'outcome');
  const emails = counter('emails', 'Attempts to send an email', 'outcome');
  return {
    claimed: (rows) => claimed.inc(rows),
    woken: (result, rows) => woken.inc({ result }, rows),
    appended: (events) => appended.inc(events),
    stepped: (process, result) => steps.inc({ process, result }),
    attempted: (result) => attempts.inc({ result }),
    delivered: (outcome) => deliveries.inc({ outcome }),
    mailed: (outcome) => emails.inc({ outcome }),
  };
}
