import { readFileSync } from 'node:fs';
import { z } from 'zod';

const profileShape = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** Self time of one thread in milliseconds, by function and by owner: a package, or a folder of this project. */
export interface ProfileSummary {
  /** Milliseconds in which the thread was not idle. */
  busy: number;
  functions: [name: string, milliseconds: number][];
  owners: [name: string, milliseconds: number][];
}

const IDLE_FRAMES = new Set(['(idle)', '(root)']);

/** Summarizes a CPU profile. The functions and owners with the most self time come first. */
export function summarise(file: string): ProfileSummary {
  const { nodes, samples, timeDeltas } = profileShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const frames = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const functions = new Map<string, number>();
  const owners = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (!frame || IDLE_FRAMES.has(frame.functionName)) return;
    const milliseconds = (timeDeltas[index] ?? 0) / 1000;
    const owner = ownerOf(frame.url, frame.functionName);
    busy += milliseconds;
    add(owners, owner, milliseconds);
    add(
      functions,
      `${frame.functionName || '(anonymous)'} ${owner}:${frame.url.split('/').at(-1)}:${frame.lineNumber + 1}`,
      milliseconds,
    );
  });
  return { busy, functions: ranked(functions), owners: ranked(owners) };
}

function ownerOf(url: string, functionName: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library) return library;
  if (url.startsWith('node:')) return 'node';
  if (url === '') return functionName === '(garbage collector)' ? 'garbage collector' : 'native';
  return /\/(api|billing|db|commands|present|adapters|workers|workflows|bin)\/[^/]/.exec(url)?.[1] ?? 'other';
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function ranked(sums: Map<string, number>): [string, number][] {
  return [...sums].sort(([, a], [, b]) => b - a);
}
