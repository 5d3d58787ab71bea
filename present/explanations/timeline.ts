import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TimelineEntry } from '../../db/schema/timelineEntry.ts';
import { entryInWords, pastInWords } from '../timelines/timeline.ts';
import { columns, zonedTime } from './words.ts';

/** Past events with their actors, then planned steps. Each group keeps the order of `entries`. */
export function explainTimeline(entries: readonly Plain<TimelineEntry>[], timeZone: string): string[] {
  const past: string[][] = [];
  const coming: string[][] = [];
  for (const entry of entries) {
    const place = [zonedTime(entry.at, timeZone), `${entry.subjectType} ${entry.subjectId}`];
    const happened = pastInWords(entry, timeZone);
    const { what, why } = entryInWords(entry, timeZone);
    if (happened) past.push([...place, happened.who, happened.what]);
    else coming.push([...place, `${what}: ${why}`]);
  }
  return [
    `What happened, and who did it (${timeZone})`,
    ...columns(past),
    '',
    'What will, unless something changes',
    ...(coming.length === 0 ? ['  nothing'] : columns(coming)),
  ];
}
