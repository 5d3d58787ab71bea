import type { Permission } from '../../../billing/people/permissions.ts';
import type { ReportName } from '../../../billing/reports/report.ts';
import { addDaysToDay, endOfDay, localDay, startOfDay } from '../../../billing/time/calendar.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { type Ask, moneyOfMonths, openToday, revenueOfMonth } from '../../../commands/reports/home.ts';
import { isCanceled } from '../../../db/failure.ts';
import { latestKnown } from '../../../db/queries/clocks/clocks.ts';
import { goLiveFacts, retriedPayments, waitingForPeople } from '../../../db/queries/reports/desk.ts';
import { weekAhead } from '../../../db/queries/reports/weekAhead.ts';
import { currentOwner } from '../../../db/tenant.ts';
import { type Presented, unix } from '../../../present/kernel/values.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { type Reply, type Route, reply } from '../../framework/route.ts';
import { keptPart } from '../../reading/kept.ts';
import { readAsked } from '../reports/parameters.ts';
import {
  presentAhead,
  presentGoLive,
  presentMoney,
  presentOpen,
  presentRetrying,
  presentRevenue,
  presentWaiting,
} from './present.ts';
import { home } from './shape.ts';

const MOST_RETRIED = 5;
/** Days of what lies ahead, today included. */
const DAYS_AHEAD = 7;

/** A part of Home. `read` finds what `present` shows to a caller. */
interface HomePart<Value> {
  permission: Permission | null;
  read(at: At): Promise<Value>;
  present(value: Value, caller: Caller): Presented;
}

interface At {
  request: ApiRequest;
  ask: Ask;
  now: Date;
  /** A test clock is ahead of now. */
  isClockAhead: boolean;
  today: string;
  zone: string;
}

/** A part whose type of value only itself knows. */
type Reading = (at: At) => Promise<Presented | null>;

/** Reads a part, or takes the one that is kept; null: the caller may not read it. Throws what `isCanceled` tells if it takes too long. */
function part<Value>(name: string, { permission, read, present }: HomePart<Value>): readonly [string, Reading] {
  return [
    name,
    async (at) => {
      const { caller, kept } = at.request;
      if (permission !== null && !caller.permissions.includes(permission)) return null;
      const key = ['home', caller.account.id, currentOwner() ?? '', at.zone, at.today, name].join(' ');
      const found = await keptPart(kept, { name: key, now: at.now }, async () => {
        const value = await read(at);
        return (of) => present(value, of);
      });
      return { as_of: unix(found.asOf), ...found.part(caller) };
    },
  ];
}

const parts: readonly (readonly [string, Reading])[] = [
  part('money', {
    permission: 'reports.read',
    read: (at) => moneyOfMonths(at.request.em, at),
    present: presentMoney,
  }),
  part('open', {
    permission: 'reports.read',
    read: (at) => openToday(at.request.em, at),
    present: presentOpen,
  }),
  part('mrr', {
    permission: 'reports.read',
    read: (at) => revenueOfMonth(at.request.em, at),
    present: presentRevenue,
  }),
  part('retrying', {
    permission: 'documents.read',
    read: ({ request: { em, caller } }) => retriedPayments(em, caller.account.id, MOST_RETRIED),
    present: presentRetrying,
  }),
  part('needs_a_person', {
    permission: null,
    read: async ({ request: { em, caller }, today, zone }) => {
      const dueUntil = new Date(endOfDay(today, zone));
      return { dueUntil, rows: await waitingForPeople(em, { accountId: caller.account.id, dueUntil }) };
    },
    present: (found, { permissions }) => presentWaiting(found, permissions),
  }),
  part('next_seven_days', {
    permission: null,
    read: async ({ request: { em, caller }, today, zone, now }) => {
      const from = new Date(startOfDay(today, zone));
      const until = new Date(endOfDay(addDaysToDay(today, DAYS_AHEAD - 1), zone));
      return { zone, rows: await weekAhead(em, { accountId: caller.account.id, zone, now, from, until }) };
    },
    present: (found, { permissions }) => presentAhead(found, permissions),
  }),
  part('go_live', {
    permission: 'settings.read',
    read: ({ request: { em, caller } }) => goLiveFacts(em, caller.account),
    present: presentGoLive,
  }),
];

async function readHome(request: ApiRequest): Promise<Reply> {
  const { deps, caller, em } = request;
  const { account } = caller;
  const now = deps.systemNow();
  const zone = account.timeZone;
  const today = localDay(now.getTime(), zone);
  const latest = await latestKnown(em, account, now);
  const isClockAhead = latest.getTime() - now.getTime() > 1000; // the latest time is rounded up
  const ask = (name: ReportName, parameters: Readonly<Record<string, string>>) =>
    readAsked(name, { account, now, latest, query: new URLSearchParams(parameters) });
  const found: Record<string, Presented | null> = {};
  const incomplete: string[] = [];
  for (const [name, read] of parts) {
    found[name] = await read({ request, ask, now, today, zone, isClockAhead }).catch((error: unknown) => {
      if (!isCanceled(error)) throw error;
      incomplete.push(name);
      return null;
    });
  }
  return reply(200, { as_of: unix(now), today, zone, ...found, incomplete });
}

export const homeRoutes: Route[] = [
  {
    method: 'GET',
    path: '/home',
    operationId: 'readHome',
    permission: null,
    summary: 'Read the numbers of Home: money, open invoices, revenue, and what needs a person',
    answer: { statusCode: 200, kind: { shape: home } },
    handle: readHome,
  },
];
