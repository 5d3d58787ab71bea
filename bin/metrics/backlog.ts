import { Gauge, type Registry } from 'prom-client';
import { readBacklog } from '../../db/queries/processes/queues.ts';
import type { Connection } from '../../workers/connection.ts';

/**
 * Registers gauges of the work that waits in the database. Returns the function that measures, which is called at each scrape. `open`: opens
 * a connection that sees all accounts.
 */
export function backlogMetrics(
  registry: Registry,
  { open, systemNow }: { open: () => Promise<Connection>; systemNow: () => Date },
): () => Promise<void> {
  const gauge = <const Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `perennial_${name}`, help, labelNames, registers: [registry] });
  const age = gauge('outbox_oldest_due_seconds', 'Seconds since the oldest due outbox row became due, by kind', 'kind');
  const recovered = gauge(
    'outbox_recovered_rows',
    'Outbox rows of a rebuild or the sweep whose process is not woken yet, at most 10000',
  );
  const deliveries = gauge('webhook_lanes_due', 'Objects with an event whose delivery is due, at most 10000');
  const emails = gauge('emails_due', 'Emails that are due, at most 10000');
  const retried = gauge('emails_retried', 'Emails that were tried and wait for another attempt, at most 10000');
  const problems = gauge('problems_open', 'Steps that are refused, keep failing or are overdue, at most 10000');
  const unknown = gauge('steps_unknown', 'Due steps that only a later version knows, at most 10000');
  const sweep = gauge('sweep_age_seconds', 'Time since a sweep of any worker last succeeded in all its parts');
  const isUp = gauge('database_up', '1: the last scrape could query the database; 0: it could not');
  return async () => {
    try {
      const connection = await open();
      const backlog = await readBacklog(connection, systemNow()).finally(() => connection.close());
      age.set({ kind: 'event' }, backlog.eventSeconds);
      age.set({ kind: 'process' }, backlog.processSeconds);
      recovered.set(backlog.recovered);
      deliveries.set(backlog.lanesDue);
      emails.set(backlog.emailsDue);
      retried.set(backlog.emailsRetried);
      problems.set(backlog.problemsOpen);
      unknown.set(backlog.stepsUnknown);
      sweep.set(backlog.sweepSeconds);
      isUp.set(1);
    } catch {
      for (const stale of [age, recovered, deliveries, emails, retried, problems, unknown, sweep]) stale.reset();
      isUp.set(0);
    }
  };
}
