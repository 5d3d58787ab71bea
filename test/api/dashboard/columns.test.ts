import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reportNames } from '../../../billing/reports/report.ts';
import { reports } from '../../../commands/reports/reports.ts';
import { columnTitles, titleIn } from '../../../dashboard/reports/columns.ts';
import { spokenLanguages } from '../../../words/languages.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** The dashboard has the titles of all columns of reports in each language. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test.each(reportNames)('the columns of %s', async (name) => {
  const queries = ['', ...(reports[name].details ?? []).map((detail) => `?detail=${detail}`)];
  for (const query of queries) {
    const { status, body } = await api.sandbox.get(`/reports/${name}${query}`);
    expect(status).toBe(200);
    for (const language of spokenLanguages.filter((one) => one !== 'en')) {
      const titles = await columnTitles[language]();
      const unknown = body.columns.flatMap(({ title }: { title: string }) =>
        Object.hasOwn(titles, title) || titleIn(titles, title) !== title ? [] : [title],
      );
      expect([name, query, language, unknown]).toEqual([name, query, language, []]);
    }
  }
});

test('titles with numbers keep these, and the name of a custom field stays', async () => {
  const titles = await columnTitles.de();
  expect(titleIn(titles, '31-60 days')).toBe('31–60 Tage');
  expect(titleIn(titles, 'Over 120 days')).toBe('Über 120 Tage');
  expect(titleIn(titles, 'Segment')).toBe('Segment');
});
