import { describe, expect, test } from '@jest/globals';
import { countryCodes } from '../../billing/country.ts';
import { isCurrency } from '../../billing/money/money.ts';
import { countriesIn, currenciesIn } from '../../dashboard/forms/codes.ts';
import { spokenLanguages } from '../../words/languages.ts';

/** What forms of the dashboard offer is what the API takes. */

describe.each(spokenLanguages)('in %s', (language) => {
  test('each country of ISO 3166 is offered once, and nothing else', () => {
    const offered = countriesIn(language);
    expect(offered.map(({ id }) => id).toSorted()).toEqual(countryCodes.toSorted());
    expect(new Set(offered.map(({ name }) => name)).size).toBe(offered.length);
  });

  test('only currencies in use are offered', () => {
    expect(currenciesIn(language).filter(({ id }) => !isCurrency(id))).toEqual([]);
  });
});
