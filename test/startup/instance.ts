import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { identify } from '../../bin/local/identity.ts';
import { freePort } from '../../bin/local/ports.ts';
import { projectFolder } from '../suites.ts';
import { fromRun, programEnvironment } from '../support/environment.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/wait.ts';

/** A data folder with its own ports. */
export interface Instance {
  dataFolder: string;
  url: string;
  env: Record<string, string>;
  /** Runs bin/perennial.ts (or bootstrap.cjs) with these arguments. */
  run(args: string[], program?: 'perennial.ts' | 'bootstrap.cjs'): Program;
  /** Process ids by part, from parts.json. */
  parts(): Record<string, number>;
  running(): Record<string, string | null>;
  /** Ends all its processes and removes the folder. */
  remove(): Promise<void>;
}

export interface Program {
  process: ChildProcess;
  pid: number;
  output(): string;
  exitCode: Promise<number | null>;
  /** Waits until a start has written running.json and its API answers. */
  isUp(): Promise<void>;
}

/** `mode`: permissions of the data folder. `env`: additional environment of every program. */
export async function newInstance({ mode = 0o755, env = {} }: { mode?: number; env?: Record<string, string> } = {}) {
  const dataFolder = await scratchFolder('startup');
  await chmod(dataFolder, mode);
  const names = ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'SMTP_PORT', 'MAILBOX_PORT'];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
  const searchPath = `${dirname(fromRun('TEMPORAL_EXECUTABLE'))}:${process.env.PATH}`;
  const all = { ...programEnvironment(), PATH: searchPath, PERENNIAL_DATA: dataFolder, ...ports, ...env };
  const programs: Program[] = [];
  const url = `http://localhost:${ports.PORT}`;
  const readJson = (name: string) => JSON.parse(readFileSync(join(dataFolder, name), 'utf8'));
  const instance: Instance = {
    dataFolder,
    url,
    env: all,
    run: (args, program = 'perennial.ts') => {
      const started = runProgram([join(projectFolder, 'bin', program), ...args], all);
      const isUp = () => untilUp(started, instance);
      programs.push({ ...started, isUp });
      return { ...started, isUp };
    },
    parts: () =>
      Object.fromEntries(readJson('parts.json').map((part: { name: string; pid: number }) => [part.name, part.pid])),
    running: () => readJson('running.json'),
    remove: async () => {
      for (const program of programs) program.process.kill('SIGINT');
      await Promise.all(programs.map((program) => program.exitCode));
      if (existsSync(join(dataFolder, 'parts.json'))) Object.values(instance.parts()).forEach(killIfAlive);
      const elsewhere = join(dataFolder, 'postgres.path');
      if (existsSync(elsewhere)) rmSync(readFileSync(elsewhere, 'utf8').trim(), { recursive: true });
      await rm(dataFolder, { recursive: true });
    },
  };
  return instance;
}

export const isRunning = (pid: number): boolean => identify(pid) !== null;

export function killIfAlive(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** The value of a name in the list at the end of a start's or the demo's output. */
export function listed(output: string, name: string): string {
  return new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
}

export async function health(url: string): Promise<number> {
  return (await fetch(`${url}/health`)).status;
}

function runProgram(args: string[], env: Record<string, string>): Omit<Program, 'isUp'> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, pid: child.pid ?? 0, output: () => text, exitCode };
}

async function untilUp(program: Omit<Program, 'isUp'>, instance: Instance): Promise<void> {
  const isUp = async () => {
    if (program.process.exitCode !== null) return true;
    return existsSync(join(instance.dataFolder, 'running.json')) && (await health(instance.url)) === 200;
  };
  await until(isUp, { what: 'the start' }).catch((error) => {
    throw new Error(`${error.message}; it said: ${program.output()}`);
  });
  if (program.process.exitCode !== null) throw new Error(`the start ended: ${program.output()}`);
}
