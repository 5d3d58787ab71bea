import { Client } from 'undici';
import { cpuMilliseconds } from './processes.ts';

/** What a number of clients, each sending one request after another on a kept connection, got. */
export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  requests: number;
}

export interface LoadOptions {
  origin: string;
  clients: number;
  warmUpSeconds: number;
  seconds: number;
  /** The n-th request. */
  request(n: number): { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };
  /** Called when the warm-up is over and when the measuring is. */
  onMeasuring?: () => void;
  onMeasured?: () => void;
}

/** Loads a server for a time. Throws at the first answer that is not a success. */
export async function load(options: LoadOptions): Promise<Load> {
  const { clients, warmUpSeconds, seconds } = options;
  const startedAt = performance.now();
  const measureFrom = startedAt + warmUpSeconds * 1000;
  const measureTo = measureFrom + seconds * 1000;
  const latencies: number[] = [];
  let sent = 0;
  const run = async () => {
    const client = new Client(options.origin);
    for (let begun = performance.now(); begun < measureTo; ) {
      sent += 1;
      await send(client, options.request(sent));
      const ended = performance.now();
      if (begun >= measureFrom && ended <= measureTo) latencies.push(ended - begun);
      begun = ended;
    }
    await client.close();
  };
  const measuring = setTimeout(() => options.onMeasuring?.(), warmUpSeconds * 1000);
  const measured = setTimeout(() => options.onMeasured?.(), (warmUpSeconds + seconds) * 1000);
  await Promise.all(Array.from({ length: clients }, run)).finally(() => {
    clearTimeout(measuring);
    clearTimeout(measured);
  });
  const requests = latencies.length;
  return { perSecond: requests / seconds, ...percentiles(latencies), requests };
}

/** The same, with the milliseconds of CPU that the processes used for each request. */
export async function loadWithCpu(
  options: LoadOptions,
  pids: readonly number[],
): Promise<{ load: Load; cpuEach: number }> {
  const used: number[] = [];
  const mark = () => void used.push(cpuMilliseconds(pids));
  const found = await load({ ...options, onMeasuring: mark, onMeasured: mark });
  const [before = 0, after = 0] = used;
  return { load: found, cpuEach: (after - before) / found.requests };
}

async function send(client: Client, request: ReturnType<LoadOptions['request']>): Promise<void> {
  const { statusCode, body } = await client.request({ ...request, body: request.body ?? null });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${request.method} ${request.path}: ${statusCode} ${text.slice(0, 300)}`);
}

/** Milliseconds that half, and ninety-nine of a hundred, stay below. */
export function percentiles(values: number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
