import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectFolder } from '../suites.ts';

/** A service of docker-compose.yml: the keys that tests read. */
export interface Service {
  image?: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
  ports?: string[];
  restart?: string;
  stop_grace_period?: string;
  volumes?: string[];
}

export type Variables = Record<string, string>;

const read = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');

/** The text of docker-compose.yml. */
export const compositionText = (): string => read('docker-compose.yml');

/** The services of docker-compose.yml with replaced variables. Throws when a required variable is missing. */
export function servicesWith(variables: Variables): Record<string, Service> {
  return parse(interpolate(compositionText(), variables), { merge: true }).services;
}

/** Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$` as Compose does. */
export function interpolate(text: string, variables: Variables): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?:(:[-?])([^}]*))?\}/g,
    (_all, name?: string, how?: string, rest?: string): string => {
      if (name === undefined) return '$';
      if (variables[name]) return variables[name];
      if (how === ':?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    },
  );
}

/** Values for the variables that have no default. */
export const secrets: Variables = {
  POSTGRES_PASSWORD: 'of-the-owner',
  TEMPORAL_POSTGRES_PASSWORD: 'of-temporal',
  PERENNIAL_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** The variables of .env.example with their values. */
export function exampleVariables(): Variables {
  const lines = read('.env.example').split('\n');
  return Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/).slice(0, 2)));
}

/** All services of docker-compose.yml. */
export const services = servicesWith({ ...exampleVariables(), ...secrets });

/** The services that run our image. */
export const ours = Object.fromEntries(Object.entries(services).filter(([, service]) => service.build !== undefined));

/** The folders and files that the Dockerfile copies into the image, and its entry point. */
export function image(): { copied: string[]; entrypoint: string[] } {
  const lines = read('Dockerfile').split('\n');
  const copies = lines.filter((line) => /^COPY (?!--from)/.test(line)).map((line) => line.split(/\s+/).slice(1, -1));
  const entrypoint = lines.find((line) => line.startsWith('ENTRYPOINT '))?.replace('ENTRYPOINT ', '') ?? '[]';
  return { copied: [...new Set(copies.flat())].sort(), entrypoint: JSON.parse(entrypoint) };
}

/** The folders and files that .dockerignore does not exclude. */
export const sentToBuild = (): string[] =>
  read('.dockerignore')
    .match(/(?<=^!).*$/gm)
    ?.sort() ?? [];

export interface Container {
  output(): string;
  exitCode: Promise<number | null>;
  process: ChildProcess;
}

/** Runs the command of a container on this machine: with this Node, and with the project in place of /perennial. */
export function runHere(command: readonly string[], env: Variables): Container {
  const [program, ...args] = command.map((word) => word.replace(/^\/perennial\//, `${projectFolder}/`));
  if (program !== 'node') throw new Error(`Only node can be run here, not ${program}`);
  const child = spawn(process.execPath, args, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, output: () => text, exitCode };
}
