import type { Settings } from '../config.ts';
import { assertPortFree } from '../local/ports.ts';

interface WantedPort {
  name: string;
  port: number;
  variable: string;
}

/** Throws an error if ports that this start needs are taken or needed twice. The message has one line for each. */
export async function assertPortsFree(settings: Settings): Promise<void> {
  const wanted = wantedPorts(settings);
  const complaints = await Promise.all(wanted.map((one, index) => complaint(one, wanted.slice(0, index))));
  const lines = complaints.filter((line) => line !== null);
  if (lines.length) throw new Error(lines.join('\n'));
}

function wantedPorts(settings: Settings): WantedPort[] {
  const { port, localPorts, databaseUrl, temporal, smtpUrl, apiMetricsPort, workerMetricsPort } = settings;
  const watched = [
    { name: 'The monitoring of the API', port: apiMetricsPort, variable: 'API_METRICS_PORT' },
    { name: 'The monitoring of the worker', port: workerMetricsPort, variable: 'WORKER_METRICS_PORT' },
  ];
  const postgres = { name: 'PostgreSQL', port: localPorts.postgres, variable: 'POSTGRES_PORT' };
  const server = { name: 'Temporal', port: localPorts.temporal, variable: 'TEMPORAL_PORT' };
  const page = { name: "Temporal's web interface", port: localPorts.temporalUi, variable: 'TEMPORAL_UI_PORT' };
  const smtp = { name: 'The development mail server', port: localPorts.smtp, variable: 'SMTP_PORT' };
  const mailbox = { name: 'The mailbox', port: localPorts.mailbox, variable: 'MAILBOX_PORT' };
  return [
    { name: 'The API', port, variable: 'PORT' },
    ...watched.flatMap(({ port: wanted, ...one }) => (wanted === null ? [] : [{ ...one, port: wanted }])),
    ...(databaseUrl ? [] : [postgres]),
    ...(temporal.address ? [] : [server, page]),
    ...(smtpUrl ? [] : [smtp, mailbox]),
  ];
}

async function complaint({ name, port, variable }: WantedPort, before: WantedPort[]): Promise<string | null> {
  const twin = before.find((other) => other.port === port);
  if (twin) return `${twin.variable} and ${variable} are both ${port}.`;
  return assertPortFree(name, port, variable).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
