import type { Load } from './load.ts';
import { type Figure, fixed } from './report.ts';
import type { Actions } from './rows/actions.ts';
import type { Calculated } from './rows/calculation.ts';
import type { Chain } from './rows/chain.ts';
import type { Advanced, Clocks, Latency, Live } from './rows/clocks.ts';
import type { Created } from './rows/invoices.ts';
import type { Numbered } from './rows/numbering.ts';
import type { Read, Reads } from './rows/reads.ts';
import type { Renewed } from './rows/renewals.ts';
import type { RowSecurityCost } from './rows/rowSecurity.ts';
import type { Started } from './rows/startUp.ts';
import type { Requested, Subscribed } from './rows/subscriptions.ts';
import type { Timed } from './rows/timers.ts';
import type { Delivered } from './rows/webhooks.ts';

/** Minimum rate of the product, as a share of the rate of raw `pg`. */
const AIM_OF_RAW = 0.3;

export function invoiceFigures(created: Created): Figure[] {
  const { product, alone, raw, lines } = created;
  const what = `POST /invoices, ${lines} lines, 16 clients`;
  const reference = `raw pg behind bare Koa: ${fixed(raw.perSecond)}/s, ${fixed(created.rawCpu, 1)} ms CPU, p50 ${fixed(raw.p50)} ms`;
  const ratio = product.perSecond / raw.perSecond;
  const floor = Math.min(300, 0.3 * raw.perSecond);
  const isUsual = lines === 3;
  return [
    {
      what,
      figure: shown(product, created.productCpu),
      reference,
      ratio: percent(ratio),
      aim: isUsual ? '>= 30 % of raw, never below 300/s where raw does 1,000/s' : '',
      met: isUsual ? ratio >= AIM_OF_RAW && product.perSecond >= floor : null,
    },
    {
      what: `${what}, no worker running`,
      figure: shown(alone, created.aloneCpu),
      reference: `the same ${created.statements} statements`,
      ratio: percent(alone.perSecond / raw.perSecond),
      aim: '',
      met: null,
    },
  ];
}

export function shown({ perSecond, p50, p99 }: Load, cpu: number): string {
  return `${fixed(perSecond)}/s, ${fixed(cpu, 1)} ms CPU, p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms`;
}

export function numberingFigure({ clients, series, seriesCpu, supplied, suppliedCpu }: Numbered): Figure {
  return {
    what: `POST /invoices, 3 lines, ${clients} clients under one account, no worker running`,
    figure: shown(series, seriesCpu),
    reference: `numbers supplied, so that no series is locked: ${shown(supplied, suppliedCpu)}`,
    ratio: percent(series.perSecond / supplied.perSecond),
    aim: '',
    met: null,
  };
}

export function readFigures({ one, list, expanded }: Reads): Figure[] {
  const shown = ({ load, cpuEach }: Read) =>
    `${fixed(load.perSecond)}/s, p50 ${fixed(load.p50, 1)} ms, p99 ${fixed(load.p99, 1)} ms, ${fixed(cpuEach, 1)} ms CPU`;
  const row = (what: string, read: Read, most: number): Figure => ({
    what,
    figure: `${read.statements} statements; ${shown(read)}`,
    reference: '',
    ratio: '',
    aim: `at most ${most} statements`,
    met: read.statements <= most,
  });
  return [
    row('GET one invoice, 16 clients', one, 2),
    row('GET a list of 100 invoices with lines, 16 clients', list, 4),
    row('the same, expand=customer', expanded, 4),
  ];
}

export function subscriptionFigures(subscribed: Subscribed): Figure[] {
  const { clients, created, changed, previewed, dryRun, rush, plain, withAddons } = subscribed;
  const none = { reference: '', ratio: '', aim: '', met: null };
  const row = (what: string, { load, cpu }: Requested): Figure => ({
    what: `${what}, ${clients} clients`,
    figure: shown(load, cpu),
    ...none,
  });
  const cost = ({ count, doneSeconds, cpu }: Renewed) =>
    `${fixed(count / doneSeconds)}/s, ${fixed(cpu.total, 1)} ms CPU`;
  return [
    row('POST /subscriptions with its first invoice', created),
    row('PATCH /subscriptions/:id with proration', changed),
    row('POST /subscriptions/preview', previewed),
    row('PATCH /subscriptions/:id?dry_run=12', dryRun),
    {
      ...none,
      what: `${rush.count.toLocaleString('en')} subscriptions by ${clients} clients until the last first invoice is issued`,
      figure: `${fixed(rush.seconds, 1)} s, ${fixed(rush.count / rush.seconds)}/s; the worker has started the last process ${fixed(rush.lag, 1)} s later`,
      reference: 'when the process wrote the first invoice: 25/s, the worker 60 s behind',
    },
    {
      ...none,
      what: `${withAddons.count} renewals due at once with three add-ons, two of them in tiers`,
      figure: cost(withAddons),
      reference: `without add-ons: ${cost(plain)}`,
      ratio: `${fixed(withAddons.cpu.total / plain.cpu.total, 2)} x the CPU`,
    },
  ];
}

/** Maximum cost of row-level security, as a share of a read. */
const AIM_OF_ROW_SECURITY = 0.1;

export function rowSecurityFigure({ secured, bare }: RowSecurityCost, { cpuEach }: Read): Figure {
  const share = (secured - bare) / cpuEach;
  return {
    what: 'Row-level security in a read of one invoice, whoever asked before',
    figure: `${fixed(secured - bare, 3)} ms CPU of PostgreSQL, ${percent(share)} of the read`,
    reference: `its statements without: ${fixed(bare, 2)} ms`,
    ratio: '',
    aim: '< 10 % of a read',
    met: share < AIM_OF_ROW_SECURITY,
  };
}

/** Milliseconds of CPU. */
const AIM_OF_CALCULATION = 5;

export function calculationFigures({ lines, plain, full, first }: Calculated): Figure[] {
  const shown = ({ cpu, p50, p99 }: Calculated['full']) =>
    `${fixed(cpu, 1)} ms CPU, p50 ${fixed(p50, 1)} ms, p99 ${fixed(p99, 1)} ms`;
  const what = `Calculation of ${lines.toLocaleString('en')} lines`;
  const bare = { reference: '', ratio: '', aim: '< 5 ms CPU' };
  return [
    { ...bare, what, figure: shown(plain), met: plain.cpu < AIM_OF_CALCULATION },
    {
      ...bare,
      what: `${what}, discounts and taxes on lines and document`,
      figure: `${shown(full)}; the first of the process ${fixed(first, 1)} ms`,
      met: full.cpu < AIM_OF_CALCULATION,
    },
  ];
}

/** Milliseconds of CPU. */
const AIM_OF_CHAIN = 0.5;

export function chainFigure({ api, postgres, bare }: Chain): Figure {
  const chain = api - bare;
  return {
    what: 'GET /account: the whole chain of middleware, CPU of the API process',
    figure: `${fixed(api, 2)} ms, ${fixed(chain, 2)} above bare Koa; PostgreSQL ${fixed(postgres, 2)} ms beside it`,
    reference: `bare Koa with the same answer: ${fixed(bare, 3)} ms`,
    ratio: '',
    aim: '< 0.5 ms',
    met: chain < AIM_OF_CHAIN,
  };
}

export function renewalFigures(renewed: Renewed, charged: boolean, bare: Timed | undefined): Figure {
  const { count, cpu, load } = renewed;
  const perSecond = count / renewed.doneSeconds;
  const aim = charged ? 45 : 16;
  const parts = `PostgreSQL ${fixed(cpu.postgres, 1)}, Temporal ${fixed(cpu.temporal, 1)}, worker ${fixed(cpu.worker, 1)}`;
  const deliveries = charged ? `; ${fixed(renewed.deliveriesEach, 1)} deliveries each` : '';
  return {
    what: `${count} renewals due at once, ${charged ? 'charged, receipt, one endpoint' : 'issued, collection start-delayed'}`,
    figure: `${fixed(perSecond)}/s, ${fixed(cpu.total, 1)} ms CPU (${parts})${deliveries}; load ${fixed(load, 1)}`,
    reference: bare ? `bare timers: ${fixed(bare.perSecond)}/s, ${fixed(bare.cpuEach, 1)} ms CPU` : '',
    ratio: bare
      ? `${percent(perSecond / bare.perSecond)} of the rate, ${fixed(cpu.total / bare.cpuEach, 1)} x the CPU`
      : '',
    aim: `<= ${aim} ms CPU${charged ? '' : ', >= 100/s'}`,
    met: cpu.total <= aim && (charged || perSecond >= 100),
  };
}

export function actionFigure({ actions, events, bytes, byKind }: Actions): Figure {
  const kinds = Object.entries(byKind).map(([kind, count]) => `${kind} ${fixed(count, 2)}`);
  return {
    what: 'Temporal per charged renewal',
    figure: `${fixed(actions, 1)} billable actions (${kinds.join(', ')}); ${fixed(events)} events, ${fixed(bytes)} bytes of history`,
    reference: '',
    ratio: '',
    aim: '',
    met: null,
  };
}

export function webhookFigures(delivered: Delivered): Figure[] {
  const { saturation, cpuEach, pace, p50, p99 } = delivered;
  const none = { reference: '', ratio: '' };
  return [
    {
      what: 'Webhook deliveries, saturation',
      ...none,
      figure: `${fixed(saturation)}/s, ${fixed(cpuEach, 1)} ms CPU`,
      aim: '>= 300/s',
      met: saturation >= 300,
    },
    {
      what: `Webhook, commit to first attempt at ${pace}/s`,
      ...none,
      figure: `p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms`,
      aim: 'p50 < 100 ms, p99 < 500 ms',
      met: p50 < 100 && p99 < 500,
    },
  ];
}

export function clockFigures({ year, decade, crowd, days, quiet, racing, demoSeconds }: Clocks): Figure[] {
  const none = { reference: '', ratio: '' };
  const shown = ({ seconds, rounds, invoices, cpuEach, load }: Advanced) =>
    `${fixed(seconds, 1)} s, ${rounds} rounds, ${fixed(rounds / seconds, 1)}/s; ${invoices} invoices, ${fixed(cpuEach, 1)} ms CPU each; load ${fixed(load, 1)}`;
  const row = (what: string, advanced: Advanced, most: number | null): Figure => ({
    what: `Test clock: ${what}`,
    figure: shown(advanced),
    ...none,
    ...(most === null ? { aim: '', met: null } : { aim: `< ${most} s`, met: advanced.seconds < most }),
  });
  const latency = ({ p50, p99 }: Latency) => `p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms`;
  const meanwhile = (what: string, of: keyof Live): Figure => ({
    what: `${what} while 50 race in the sandbox`,
    figure: latency(racing[of]),
    reference: `alone: ${latency(quiet[of])}`,
    ratio: '',
    aim: '',
    met: null,
  });
  return [
    row('a year of a monthly subscription, AutoPay, mail, webhooks', year, 5),
    row('ten years of the same', decade, null),
    {
      what: '`npm run demo`: a year of two subscriptions, month by month',
      figure: `${fixed(demoSeconds, 1)} s`,
      ...none,
      aim: '< 30 s',
      met: demoSeconds < 30,
    },
    row('100 such subscriptions, a year', crowd, 60),
    row('a year of a daily plan, not charged', days, null),
    meanwhile('A live subscription to its first invoice', 'issued'),
    meanwhile('A live invoice to the arrival of its event', 'delivered'),
  ];
}

export function startFigures(started: Started): Figure[] {
  const none = { reference: '', ratio: '' };
  return [
    {
      what: 'npm start, warm, to the first answer',
      ...none,
      figure: `${fixed(started.warmSeconds, 1)} s (empty data folder: ${fixed(started.firstSeconds, 1)} s)`,
      aim: '< 5 s',
      met: started.warmSeconds < 5,
    },
    {
      what: 'Everything, at rest, half a minute after the start',
      ...none,
      figure: `${fixed(started.idleMiB)} MB, ${percent(started.idleCpu)} of a core`,
      aim: '< 600 MB (the other biller)',
      met: started.idleMiB < 600,
    },
  ];
}

export function memoryFigure({ fresh, loaded }: { fresh: number; loaded: number }): Figure {
  return {
    what: 'API process, resident',
    figure: `${fixed(fresh)} MB at rest, ${fixed(loaded)} MB after load`,
    reference: '',
    ratio: '',
    aim: '< 250 MB',
    met: Math.max(fresh, loaded) < 250,
  };
}

export function percent(share: number): string {
  return `${fixed(share * 100, share < 0.1 ? 1 : 0)} %`;
}
