import type { Plain } from '../../db/queries/plain.ts';
import type { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { toldEntry } from '../timeline.ts';
import { columns, moment } from './words.ts';

/** What happened, and what is to come, oldest first. */
export function explainTimeline(entries: readonly Plain<TimelineEntry>[], timeZone: string): string[] {
  const rows = (upcoming: boolean) =>
    entries
      .filter((entry) => entry.upcoming === upcoming)
      .map((entry) => {
        const { what, why } = toldEntry(entry, timeZone);
        return [moment(entry.at, timeZone), `${entry.subjectType} ${entry.subjectId}`, `${what}: ${why}`];
      });
  const [past, coming] = [rows(false), rows(true)];
  return [
    ...[`What happened (${timeZone})`, ...columns(past)],
    ...['', 'What will, unless something changes', ...(coming.length === 0 ? ['  nothing'] : columns(coming))],
  ];
}
