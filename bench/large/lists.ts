import { Client } from 'undici';
import { exchange, headersOf } from '../insideApi.ts';
import { percentiles } from '../load.ts';
import { cpuMilliseconds } from '../processes.ts';
import type { Stage } from '../stage.ts';

/** The parts of a stage that are needed to send requests to its API. */
export type Asked = Pick<Stage, 'config' | 'sandboxKey' | 'origin' | 'postgres' | 'api'>;

/**
 * Figures of one list: latency in milliseconds, CPU of API and PostgreSQL in milliseconds per request, and the number of statements without
 * the one that authenticates.
 */
export interface ListFigures {
  what: string;
  p50: number;
  p99: number;
  cpuEach: number;
  statements: number;
  total: number;
}

const WARM_UP = 20;
const TIMES = 300;
const UNCOUNTED = /^(begin|commit|rollback|set |select set_config)/i;

/** Paths of the measured lists, by name. */
const fixed: Record<string, string> = {
  'invoices, first page': '/invoices',
  'invoices, expand=customer': '/invoices?expand=customer',
  'invoices, one customer': '/invoices?filter[customer]=700',
  'invoices, past due (1 %)': '/invoices?filter[status]=past_due',
  'invoices, paid (99 %)': '/invoices?filter[status]=paid',
  'invoices, metadata': '/invoices?metadata[order]=1',
  'invoices, updated since the middle': '/invoices?updated_after=MIDDLE',
  'invoices, sort=due_date desc': '/invoices?sort=due_date%20desc',
  'payments, first page': '/payments',
  'customers, sort=name': '/customers?sort=name',
  'events, newest': '/events',
};

/** Measures every list, one request after another. `page`: the page to reach by links. `middle`: UNIX time in the middle of the rows. */
export async function measureLists(
  stage: Asked,
  { page, middle }: { page: number; middle: number },
): Promise<ListFigures[]> {
  const client = new Client(stage.origin);
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: `/sandbox/api${path}`,
      headers: headersOf(stage),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`);
    return { link: String(headers.link ?? ''), total: Number(headers['x-total-count']) };
  };
  try {
    const followed = await follow(ask, page);
    const last = linkOf((await ask('/invoices')).link, 'last');
    const paths = {
      ...fixed,
      [`invoices, page ${page} by its link`]: followed,
      [`invoices, page=${page}`]: `/invoices?page=${page}`,
      'invoices, last page by its link': last,
    };
    const answered: ListFigures[] = [];
    for (const [what, path] of Object.entries(paths))
      answered.push(await measured(stage, ask, { what, path: path.replace('MIDDLE', String(middle)) }));
    return answered;
  } finally {
    await client.close();
  }
}

type Ask = (path: string) => Promise<{ link: string; total: number }>;

async function follow(ask: Ask, page: number): Promise<string> {
  let path = '/invoices';
  for (let at = 1; at < page; at++) path = linkOf((await ask(path)).link, 'next');
  return path;
}

function linkOf(header: string, rel: string): string {
  const path = new RegExp(`/sandbox/api([^>]+)>; rel="${rel}"`).exec(header)?.[1];
  if (!path) throw new Error(`no link ${rel}`);
  return path;
}

async function measured(stage: Asked, ask: Ask, { what, path }: { what: string; path: string }): Promise<ListFigures> {
  const captured = await exchange(
    stage,
    [1, 2].map(() => ({ method: 'GET', path })),
  );
  const texts = captured.at(-1)?.statements.map(({ text }) => text.trim()) ?? [];
  for (let n = 0; n < WARM_UP; n++) await ask(path);
  const pids = [stage.postgres.pid, stage.api.pid];
  const before = cpuMilliseconds(pids);
  const took: number[] = [];
  let total = 0;
  for (let n = 0; n < TIMES; n++) {
    const begun = performance.now();
    ({ total } = await ask(path));
    took.push(performance.now() - begun);
  }
  const cpuEach = (cpuMilliseconds(pids) - before) / TIMES;
  return {
    what,
    ...percentiles(took),
    cpuEach,
    statements: texts.filter((text) => !UNCOUNTED.test(text)).length - 1,
    total,
  };
}
