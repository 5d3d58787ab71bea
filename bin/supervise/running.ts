import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from './jsonFile.ts';
import { lockHolder } from './lock.ts';

const runningShape = z.object({
  api_url: z.string(),
  sandbox_api_url: z.string(),
  live_key: z.string(),
  sandbox_key: z.string(),
  docs_url: z.string(),
  mailbox_url: z.string().nullable(),
  temporal_ui_url: z.string().nullable(),
  temporal_address: z.string(),
  database_url: z.string(),
});

/** Content of `running.json`: addresses and keys of the running instance. The addresses of pages are null for external parts. */
export type Running = z.output<typeof runningShape>;

const file = (dataFolder: string) => join(dataFolder, 'running.json');

export function writeRunning(dataFolder: string, running: Running): void {
  writeJson(file(dataFolder), running);
}

export function removeRunning(dataFolder: string): void {
  rmSync(file(dataFolder), { force: true });
}

/** The instance that runs in the data folder. Null if there is none. */
export function readRunning(dataFolder: string): Running | null {
  return lockHolder(dataFolder) ? readJson(file(dataFolder), runningShape) : null;
}

/** Environment variables with which a role joins the instance that runs in the data folder. Empty if none runs. */
export function runningEnvironment(dataFolder: string): Record<string, string> {
  const running = readRunning(dataFolder);
  if (!running) return {};
  return {
    DATABASE_URL: running.database_url,
    TEMPORAL_ADDRESS: running.temporal_address,
    PUBLIC_URL: new URL(running.api_url).origin,
  };
}

/** How the first administrator signs in. */
export interface FirstMember {
  email: string;
  password: string;
  /** False: the person has chosen another one. */
  isPasswordKept: boolean;
  /** Signs in without a password, once. */
  startLink: { url: string; endsAt: string } | null;
}

/** The addresses and credentials that `start` prints once everything runs. */
export function describeRunning(
  running: Running,
  { dataFolder, member }: { dataFolder: string; member: FirstMember },
): string {
  const rows: [string, string | null][] = [
    ['Live API', running.api_url],
    ['Live key', running.live_key],
    ['Sandbox API', running.sandbox_api_url],
    ['Sandbox key', running.sandbox_key],
    ['Reference', running.docs_url],
    ...signInRows(running, member),
    ['Mailbox', running.mailbox_url],
    ['Temporal UI', running.temporal_ui_url],
  ];
  const lines = rows.filter(([, value]) => value !== null).map(([name, value]) => `  ${name.padEnd(13)}${value}`);
  const end = member.startLink && new Date(member.startLink.endsAt).toTimeString().slice(0, 5);
  const once = end === null ? [] : [`The sign-in link works once, until ${end}.`];
  return ['', ...lines, '', ...once, `Perennial is running. Ctrl-C stops it; its data stay in ${dataFolder}.`].join(
    '\n',
  );
}

function signInRows({ api_url }: Running, member: FirstMember): [string, string | null][] {
  const { startLink, isPasswordKept, email, password } = member;
  if (startLink) return [['Sign-in', startLink.url]];
  const page: [string, string] = ['Sign-in', `${new URL(api_url).origin}/sign_in`];
  return isPasswordKept ? [page, ['Email', email], ['Password', password]] : [page];
}
