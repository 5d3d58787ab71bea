import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { cpuMilliseconds } from './processes.ts';

/** Results of a load. */
export interface Load {
  perSecond: number;
  /** Median and 99th percentile of the latency, milliseconds. */
  p50: number;
  p99: number;
  requests: number;
}

export interface LoadOptions {
  origin: string;
  clients: number;
  warmUpSeconds: number;
  seconds: number;
  /** Returns the n-th request. */
  request(n: number): {
    method: 'GET' | 'POST' | 'PATCH';
    path: string;
    headers: Record<string, string>;
    body?: string;
  };
  /** The status of a success; absent: any below 300. */
  success?: number;
  /** Called when the warm-up ends and when the measurement ends, each time with the number of answers so far. */
  onMeasuring?: (answers: number) => void;
  onMeasured?: (answers: number) => void;
}

/**
 * Sends requests to a server for some seconds. Each client sends one request after another over a persistent connection. Throws at the first
 * response that is not a success.
 */
export async function load(options: LoadOptions): Promise<Load> {
  const { clients, warmUpSeconds, seconds, onMeasuring = () => undefined, onMeasured = () => undefined } = options;
  const startedAt = performance.now();
  const measureFrom = startedAt + warmUpSeconds * 1000;
  const measureTo = measureFrom + seconds * 1000;
  const latencies: number[] = [];
  let [sent, answers] = [0, 0];
  const begin = once(() => onMeasuring(answers));
  const end = once(() => onMeasured(answers));
  const run = async () => {
    const client = new Client(options.origin);
    for (let begun = performance.now(); begun < measureTo; ) {
      if (begun >= measureFrom) begin();
      sent += 1;
      await send(client, options.request(sent), options.success);
      answers += 1;
      const ended = performance.now();
      if (begun >= measureFrom && ended <= measureTo) latencies.push(ended - begun);
      begun = ended;
    }
    end(); // called by whichever comes first: a late timer may fire when no client is sending any more
    await client.close();
  };
  await Promise.all(Array.from({ length: clients }, run));
  const requests = latencies.length;
  return { perSecond: requests / seconds, ...percentiles(latencies), requests };
}

/** Like `load`. `cpuEach`: milliseconds of CPU that these processes used per request. */
export async function loadWithCpu(
  options: LoadOptions,
  pids: readonly number[],
): Promise<{ load: Load; cpuEach: number }> {
  const marks: { cpu: number; answers: number }[] = [];
  const mark = (answers: number) => void marks.push({ cpu: cpuMilliseconds(pids), answers });
  const found = await load({ ...options, onMeasuring: mark, onMeasured: mark });
  const [before, after] = marks;
  if (!before || !after) throw new Error('too few answers to measure anything');
  return { load: found, cpuEach: (after.cpu - before.cpu) / (after.answers - before.answers) };
}

/** Sends requests at a pace, without waiting for answers, for some seconds. Throws at the first response that is not a success. */
export async function paced(
  { origin, request }: Pick<LoadOptions, 'origin' | 'request'>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Load> {
  const client = new Client(origin, { pipelining: 1 });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const one = async (n: number) => {
    await pause(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()));
    const begun = performance.now();
    await send(client, request(n));
    latencies.push(performance.now() - begun);
  };
  await Promise.all(Array.from({ length: perSecond * seconds }, (_, n) => one(n)));
  await client.close();
  return { perSecond, ...percentiles(latencies), requests: latencies.length };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

async function send(client: Client, request: ReturnType<LoadOptions['request']>, success?: number): Promise<void> {
  const { statusCode, body } = await client.request({ ...request, body: request.body ?? null });
  const text = await body.text();
  if (success === undefined ? statusCode >= 300 : statusCode !== success)
    throw new Error(`${request.method} ${request.path}: ${statusCode} ${text.slice(0, 300)}`);
}

/** The median and the 99th percentile of values in milliseconds. */
export function percentiles(values: number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
