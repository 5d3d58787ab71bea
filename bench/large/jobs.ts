import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { headersOf } from '../insideApi.ts';
import { residentMiB } from '../processes.ts';
import type { Part } from '../servers.ts';
import type { Asked } from './lists.ts';

/** Figures of a report as a job: seconds from the request to the end, rows and MiB of the file, the most memory of the worker in MiB. */
export interface JobFigures {
  what: string;
  seconds: number;
  rows: number;
  size: number;
  memory: number;
}

const jobs = [
  { report: 'journal', format: 'csv', parameters: { start: '2024-02-01', end: '2024-02-29' } },
  { report: 'journal', format: 'csv', parameters: { start: '2024-01-01', end: '2025-12-31' } },
  { report: 'aging', format: 'csv', parameters: { as_of: '2024-12-31' } },
];

const job = z.object({ id: z.number(), status: z.string(), done: z.number(), file: z.unknown(), problem: z.unknown() });
type Job = z.infer<typeof job>;

/** Lets a worker run each report as a job, one after another. */
export async function measureJobs(stage: Asked, worker: Part): Promise<JobFigures[]> {
  const figures: JobFigures[] = [];
  for (const asked of jobs) {
    const begun = performance.now();
    let seen = await ask(stage, 'POST', '/jobs', { type: 'report', ...asked });
    let memory = 0;
    while (['queued', 'running'].includes(seen.status)) {
      await pause(200);
      memory = Math.max(memory, residentMiB(worker.pid));
      seen = await ask(stage, 'GET', `/jobs/${seen.id}`);
    }
    if (seen.status !== 'done') console.log(`job ${asked.report}: ${seen.status} ${JSON.stringify(seen.problem)}`);
    const seconds = (performance.now() - begun) / 1000;
    const { start, end, as_of } = { start: '', end: '', as_of: '', ...asked.parameters };
    const what = `${asked.report}, ${as_of || `${start} to ${end}`}, ${asked.format}`;
    const size = await sizeOf(stage, seen);
    console.log(`job ${what}: ${seconds.toFixed(2)} s, ${seen.done} rows, worker at most ${Math.round(memory)} MiB`);
    figures.push({ what, seconds, rows: seen.done, size, memory });
  }
  return figures;
}

async function ask(stage: Asked, method: string, path: string, body?: object): Promise<Job> {
  const headers = { ...headersOf(stage), 'content-type': 'application/json' };
  const response = await fetch(`${stage.origin}/sandbox/api${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return job.parse(JSON.parse(text));
}

/** MiB of the file of a job. */
async function sizeOf(stage: Asked, { id }: Job): Promise<number> {
  const response = await fetch(`${stage.origin}/sandbox/api/jobs/${id}/file`, { headers: headersOf(stage) });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes / 2 ** 20;
}
