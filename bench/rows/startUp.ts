import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../bin/local/ports.ts';
import { locatePostgres, removePostgres } from '../../bin/local/postgresFiles.ts';
import { startChild } from '../../bin/local/process.ts';
import { cpuMilliseconds, memoryMiB } from '../processes.ts';
import { temporaryFolder } from '../stage.ts';
import { until } from '../wait.ts';

const IDLE_SECONDS = 5;
/** Time after which V8 has returned the memory that the start needed. */
const REST_SECONDS = 30;

export interface Started {
  /** Seconds from the command to the API's first response: with an empty data folder, and with one that was used before. */
  firstSeconds: number;
  warmSeconds: number;
  /** Memory of all parts, including the development mail server, half a minute after the start. */
  idleMiB: number;
  /** Share of one core that all parts use while they are idle. */
  idleCpu: number;
}

/**
 * Runs `npm start` of a checkout twice in a temporary folder. A start before these, in a folder of its own, fills Node's compile cache and is not
 * counted.
 */
export async function startUp(temporalProgram: string, checkoutFolder: string): Promise<Started> {
  await inNewFolder(temporalProgram, (folder, env) => startOnce({ checkoutFolder, folder, env }, async () => null));
  return inNewFolder(temporalProgram, async (folder, env) => {
    const { seconds: firstSeconds } = await startOnce({ checkoutFolder, folder, env }, async () => null);
    const { seconds: warmSeconds, seen } = await startOnce({ checkoutFolder, folder, env }, restOf);
    return { firstSeconds, warmSeconds, idleMiB: seen.idleMiB, idleCpu: seen.idleCpu };
  });
}

/** Runs work with an empty data folder and the environment of a start in it. Removes the folder. */
async function inNewFolder<Result>(
  temporalProgram: string,
  work: (folder: string, env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder();
  const names = ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'SMTP_PORT', 'MAILBOX_PORT'];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]));
  const env = {
    PATH: `${join(temporalProgram, '..')}:${process.env.PATH}`,
    HOME: process.env.HOME,
    PERENNIAL_DATA: folder,
    ...Object.fromEntries(ports),
  };
  try {
    return await work(folder, env);
  } finally {
    await removePostgres(folder, await locatePostgres(folder, () => undefined));
    await rm(folder, { recursive: true, force: true });
  }
}

interface Start {
  checkoutFolder: string;
  folder: string;
  env: NodeJS.ProcessEnv;
}

async function startOnce<Seen>({ checkoutFolder, folder, env }: Start, look: (pid: number) => Promise<Seen>) {
  const startedAt = performance.now();
  const child = await startChild({
    name: 'start',
    command: process.execPath,
    args: [join(checkoutFolder, 'bin', 'bootstrap.cjs'), 'start'],
    logFile: join(folder, 'start.log'),
    env,
  });
  try {
    const answers = async () => {
      if (child.hasExited())
        throw new Error(`${await child.exited}: ${readFileSync(join(folder, 'start.log'), 'utf8')}`);
      return fetch(`http://127.0.0.1:${env.PORT}/health`).then(
        (response) => response.ok,
        () => false,
      );
    };
    await until(answers, { what: 'the API answers', withinSeconds: 60, everyMilliseconds: 20 });
    const seconds = (performance.now() - startedAt) / 1000;
    // `start` prints this line last, when everything runs.
    const isUp = async () => readFileSync(join(folder, 'start.log'), 'utf8').includes('Perennial is running');
    await until(isUp, { what: 'everything runs', withinSeconds: 60 });
    return { seconds, seen: await look(child.pid) };
  } finally {
    await child.stop();
  }
}

async function restOf(pid: number): Promise<Pick<Started, 'idleMiB' | 'idleCpu'>> {
  await pause(REST_SECONDS * 1000);
  const before = cpuMilliseconds([pid]);
  await pause(IDLE_SECONDS * 1000);
  const idleCpu = (cpuMilliseconds([pid]) - before) / (IDLE_SECONDS * 1000);
  return { idleMiB: memoryMiB([pid]), idleCpu };
}
