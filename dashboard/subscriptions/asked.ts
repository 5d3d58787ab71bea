import type { Client, DryRunAnswer } from '../../client/index.ts';
import type { Values } from '../forms/field.ts';
import type { Row } from '../kinds/kind.ts';
import { type Formats, sentNumber } from '../written.ts';
import { isRunning } from './standing.ts';

/** What an act asks the API for: its dry run and the act itself are the same request. */
export type Asked =
  | { how: 'change' | 'renew'; body: Readonly<Record<string, unknown>> }
  | { how: 'cancel'; query: Readonly<Record<string, string | number | boolean>> };

/** What follows from an act. */
export type Follows = DryRunAnswer<'patch', '/subscriptions/{id}'>;

const PATH = '/subscriptions/{id}';

/** How many invoices a dry run shows: those that are written at once, and the next one. */
const FORESEEN = 4;

/** What follows from an act. Nothing is stored. */
export function foresee(api: Client, id: number, asked: Asked): Promise<Follows> {
  const run = { id, dry_run: FORESEEN };
  if (asked.how === 'cancel') return api.delete(PATH, { ...asked.query, ...run });
  const body = Object.assign({}, asked.body);
  return asked.how === 'renew' ? api.post(`${PATH}/renew`, body, run) : api.patch(PATH, body, run);
}

/** Does it. */
export function carryOut(api: Client, id: number, asked: Asked): Promise<unknown> {
  if (asked.how === 'cancel') return api.delete(PATH, { ...asked.query, id });
  const body = Object.assign({}, asked.body);
  return asked.how === 'renew' ? api.post(`${PATH}/renew`, body, { id }) : api.patch(PATH, body, { id });
}

/** A subscription as a person saw it when the act was begun, and the time for which its bills are foreseen. */
export interface Basis {
  /** As the fields of the form began. */
  first: Row;
  /** As it stands. */
  row: Row;
  /** UNIX time; null: it is not known. */
  asOf: number | null;
  formats: Formats;
}

const typed = (values: Values, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : '';
};

const planIn = ({ plan }: Row): string =>
  String(typeof plan === 'object' && plan !== null && 'id' in plan ? plan.id : plan);

/** A change of plan, quantity, price and contract, as it was typed; null: nothing differs. */
export function changeAsked(values: Values, { first, row, asOf, formats }: Basis): Asked | null {
  const numberOf = (name: string) => sentNumber(typed(values, name), formats);
  const body: Record<string, unknown> = {};
  const plan = typed(values, 'plan');
  if (plan !== '' && plan !== planIn(first)) body.plan = plan;
  for (const name of ['quantity', 'amount']) {
    const text = typed(values, name);
    if (text !== '' && numberOf(name) !== first[name]) body[name] = numberOf(name);
  }
  if (typed(values, 'cycles') !== '') body.cycles = numberOf('cycles');
  if (Object.keys(body).length === 0) return null;
  const time = typed(values, 'when');
  if (time === 'renewal') return { how: 'change', body: { ...body, when: 'renewal' } };
  const prorate = time === 'now' ? 'now' : time !== 'free';
  const from = countsFrom(typed(values, 'proration_date'), { row, asOf, formats });
  return {
    how: 'change',
    body: { ...body, prorate, ...(from === null || prorate === false ? {} : { proration_date: from }) },
  };
}

/** From when a change counts: a day that was typed, otherwise the time of its preview, so that seconds more or less change no cent. */
function countsFrom(day: string, { row, asOf, formats }: Pick<Basis, 'row' | 'asOf' | 'formats'>): number | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return formats.startOf(day);
  return asOf !== null && isRunning(row, asOf) ? asOf : null;
}

const dayIn = (values: Values, name: string, formats: Formats): number | null => {
  const day = typed(values, name);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formats.startOf(day) : null;
};

/** A pause, now or at the end of the period. */
export function pauseAsked(values: Values, formats: Formats): Asked {
  const when = typed(values, 'when') === 'now' ? { paused: true } : { pause_at_period_end: true };
  const until = dayIn(values, 'resume_at', formats);
  return {
    how: 'change',
    body: { ...when, ...(until === null ? {} : { resume_at: until }), resume_mode: typed(values, 'resume_mode') },
  };
}

/** The end of a pause. */
export function resumptionAsked(values: Values): Asked {
  const missed = typed(values, 'backfill');
  const backfill = missed === '' ? {} : { backfill: missed === 'true' };
  return { how: 'change', body: { paused: false, resume_mode: typed(values, 'resume_mode'), ...backfill } };
}

/** A cancellation: at the end of the period or contract, or now with what is left credited or billed. */
export function cancelAsked(values: Values, { row, asOf }: Pick<Basis, 'row' | 'asOf'>): Asked {
  const [reason, comment] = [typed(values, 'cancellation_reason'), typed(values, 'cancellation_comment')];
  const why = {
    ...(reason === '' ? {} : { cancellation_reason: reason }),
    ...(comment === '' ? {} : { cancellation_comment: comment }),
  };
  const when = typed(values, 'when');
  if (when === 'period_end') return { how: 'change', body: { cancel_at_period_end: true, ...why } };
  const left = when === 'credit' ? { prorate: true } : when === 'remaining' ? { bill_remaining: true } : {};
  const until = asOf !== null && isRunning(row, asOf) ? { proration_date: asOf } : {};
  return { how: 'cancel', query: { ...left, ...until, ...why } };
}

/** A renewal of a contract that waits for it. */
export function renewalAsked(values: Values, formats: Formats): Asked {
  const cycles = typed(values, 'cycles');
  return {
    how: 'renew',
    body: {
      ...(cycles === '' ? {} : { cycles: sentNumber(cycles, formats) }),
      ...(typed(values, 'start') === 'now' ? { start: 'now' } : {}),
    },
  };
}
