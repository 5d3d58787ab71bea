import { useRouteContext } from '@tanstack/react-router';
import { fillCount, type Plural } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import { useOverviewWords } from '../words.ts';

export interface Sum {
  currency: string;
  amount: number;
}

/** How Home writes days, signed amounts and shares. */
export function useTold() {
  const formats = useFormats();
  const { me } = useRouteContext({ from: '__root__' });
  const { home } = useOverviewWords();
  const { language, zone } = formats;
  const weekday = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: zone,
  });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: zone });
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  });
  const isOwn = ({ currency }: { currency: string }) => currency === me.currency;
  return {
    ...formats,
    /** The currency of the account first. */
    ownFirst: <Of extends { currency: string }>(all: readonly Of[]): Of[] => [
      ...all.filter(isOwn),
      ...all.filter((one) => !isOwn(one)),
    ],
    /** A UNIX time as `15:04`. */
    clock: (seconds: number) => clock.format(seconds * 1000),
    share: (value: number) => percent.format(value),
    count: (plural: Plural, count: number) => fillCount(plural, { language, count }, { count: formats.number(count) }),
    /** An amount with its sign: `+$20.00`. */
    moved: (amount: number, currency: string) =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: currency.toUpperCase(),
        signDisplay: 'exceptZero',
      }).format(amount),
    sums: (sums: readonly Sum[]) => sums.map(({ amount, currency }) => formats.money(amount, currency)).join(' · '),
    /** A day such as `2026-11-30`, as a day of the week. */
    weekday: (isoDay: string, today: string): string => {
      if (isoDay === today) return home.today;
      if (isoDay === formats.isoDay(formats.endOf(today) + 1)) return home.tomorrow;
      return weekday.format(formats.startOf(isoDay) * 1000);
    },
    isoDayText: (isoDay: string): string => formats.day(formats.startOf(isoDay)),
  };
}
