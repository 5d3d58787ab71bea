import type { Sql } from '../../db/queries/kernel/sql.ts';
import { numberOf } from '../database.ts';
import { shown } from '../figures.ts';
import { headersOf } from '../insideApi.ts';
import { type Load, load, loadWithCpu, percentiles } from '../load.ts';
import { medianOf } from '../pairs/ratios.ts';
import { type Figure, fixed } from '../report.ts';
import type { Stage } from '../stage.ts';
import { untilQuiet } from '../wait.ts';

const CLIENTS = 16;
const ROUNDS = 5;
const SECONDS = 3;
const TRIES = 60;
/** Clients of somebody else who reads while people sign in. */
const OTHERS = 4;
/** Maximum CPU of a read by session, as a multiple of one by key. */
const AIM_OF_SESSION = 1.2;

/**
 * Measures sign-ins, each with a new browser in a network of its own, and the reads of somebody else meanwhile; a read by session beside
 * one by key; and whether the time of a refused sign-in tells who signs in here. CPU: of API and PostgreSQL together.
 */
export async function measureSignIns(stage: Stage, sql: Sql): Promise<Figure[]> {
  const pids = [stage.postgres.pid, stage.api.pid];
  const invoice = await numberOf(sql, 'select max(id) from invoice');
  const path = `/sandbox/api/invoices/${invoice}`;
  const cookie = await sessionOf(stage);
  const account = await numberOf(sql, `select id from account where environment = 'live'`);
  const session = { cookie, 'perennial-account': String(account), 'sec-fetch-site': 'same-origin' };
  const read = (headers: Record<string, string>) => ({
    origin: stage.origin,
    request: () => ({ method: 'GET' as const, path, headers }),
  });
  const cpuOf = async (headers: Record<string, string>) =>
    (await loadWithCpu({ ...read(headers), clients: CLIENTS, warmUpSeconds: 1, seconds: SECONDS }, pids)).cpuEach;
  const keys: number[] = [];
  const sessions: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    keys.push(await cpuOf(headersOf(stage)));
    sessions.push(await cpuOf(session));
  }
  const [known, unknown] = await refusedBoth(stage);
  await untilQuiet([...pids, stage.worker.pid], 60);
  const others = { ...read(headersOf(stage)), clients: OTHERS, warmUpSeconds: 1, seconds: 8 };
  const quiet = await load(others);
  const request = (n: number) => formOf({ ...stage.member, from: addressOf(n) });
  const signIns = { origin: stage.origin, clients: CLIENTS, warmUpSeconds: 1, seconds: 8, request, success: 303 };
  const [meanwhile, signedIn] = await Promise.all([load(others), loadWithCpu(signIns, pids)]);
  const [byKey, bySession] = [medianOf(keys), medianOf(sessions)];
  return [
    row('POST /sign_in, a new browser each, 16 clients', shown(signedIn.load, signedIn.cpuEach)),
    row(`GET one invoice, ${OTHERS} clients, meanwhile`, latency(meanwhile), `alone: ${latency(quiet)}`),
    {
      ...row('the same by the cookie of a session', `${fixed(bySession, 2)} ms CPU`, `by key: ${fixed(byKey, 2)} ms`),
      ratio: `${fixed(bySession / byKey, 2)} x the CPU`,
      aim: '<= 1.2 x',
      met: bySession / byKey <= AIM_OF_SESSION,
    },
    row('A wrong password, known address', `p50 ${fixed(known, 1)} ms`, `unknown: ${fixed(unknown, 1)} ms`),
  ];
}

const row = (what: string, figure: string, reference = ''): Figure => {
  return { what, figure, reference, ratio: '', aim: '', met: null };
};
const latency = ({ perSecond, p50, p99 }: Load) => `${fixed(perSecond)}/s, p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms`;

/** An address in the n-th network of 64 bits. */
const addressOf = (n: number): string => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;

function formOf({ email, password, from }: { email: string; password: string; from: string }) {
  return {
    method: 'POST' as const,
    path: '/sign_in',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'perennial_form=bench',
      'x-forwarded-for': from,
    },
    body: new URLSearchParams({ email, password, form_token: 'bench' }).toString(),
  };
}

/** The cookie of a session of the member. */
async function sessionOf({ origin, member }: Stage): Promise<string> {
  const { path, ...form } = formOf({ ...member, from: '192.0.2.1' });
  const answer = await fetch(`${origin}${path}`, { ...form, redirect: 'manual' });
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('perennial_person='));
  if (!cookie) throw new Error(`the sign-in was answered with ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}

/** Sends wrong passwords for a known and an unknown address in turn. Returns the medians of their times. */
async function refusedBoth({ origin, member }: Stage): Promise<[known: number, unknown: number]> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let n = 0; n < TRIES; n++)
    for (const who of ['known', 'unknown'] as const) {
      const email = who === 'known' ? member.email : 'nobody@acme.example';
      const from = addressOf((who === 'known' ? 1 << 24 : 1 << 25) + n);
      const { path, ...form } = formOf({ email, password: 'a wrong password', from });
      const begun = performance.now();
      const answer = await fetch(`${origin}${path}`, form);
      await answer.text();
      if (answer.status !== 401) throw new Error(`a wrong password was answered with ${answer.status}`);
      times[who].push(performance.now() - begun);
    }
  return [percentiles(times.known).p50, percentiles(times.unknown).p50];
}
