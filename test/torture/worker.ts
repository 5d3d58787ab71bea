import { parentPort, workerData } from 'node:worker_threads';
import { instantAfter } from '../../billing/time/calendar.ts';
import { firstInstant } from '../support/calendarOracle.ts';
import { anchorsAt, destinationsOf, STEPS, type TorturedZone, torturedZone } from '../support/calendarSpace.ts';

/** The input of a thread: a zone, and the dates whose anchors it checks. */
export interface Task {
  zone: string;
  dates: readonly number[];
}

/** The message that a thread sends after each date: the number of cases, and the first wrong ones. */
export interface Told {
  cases: number;
  wrong: string[];
}

const MOST_TOLD = 20;

/** Checks every step from every anchor of a date. */
function tortureDate(tortured: TorturedZone, date: number): Told {
  const zoneName = tortured.zone.name;
  const destinations = destinationsOf(date);
  const told: Told = { cases: 0, wrong: [] };
  for (const timeOfDay of tortured.timesOfDay) {
    for (const anchorAt of anchorsAt(tortured, date, timeOfDay)) {
      for (const [index, step] of STEPS.entries()) {
        const expected = firstInstant(tortured.zone, (destinations[index] ?? Number.NaN) + timeOfDay);
        const at = instantAfter(anchorAt, zoneName, step);
        told.cases += 1;
        if (at === expected || told.wrong.length >= MOST_TOLD) continue;
        const [anchor, got, wanted] = [anchorAt, at, expected].map((instant) => new Date(instant).toISOString());
        told.wrong.push(`${step.count} ${step.interval} from ${anchor} in ${zoneName}: ${got}, not ${wanted}`);
      }
    }
  }
  return told;
}

const { zone, dates }: Task = workerData;
const tortured = torturedZone(zone);
for (const date of dates) parentPort?.postMessage(tortureDate(tortured, date));
