import type { ReportTitles } from '../../words/overview/wording.ts';

export type ReportName = keyof ReportTitles;

/** Whether the API has a report of this name. */
export const isReport = (titles: ReportTitles, name: string): name is ReportName => Object.hasOwn(titles, name);
