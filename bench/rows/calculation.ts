import { documentTotals, type Priced, type PricedLine, type TaxTerm } from '../../billing/documents/totals.ts';

const LINES = 1000;
const WARM_UP = 200;
const RUNS = 500;

export interface Calculated {
  lines: number;
  plain: Timed;
  full: Timed;
  /** Milliseconds for the first document of the process, before V8 has compiled the code. */
  first: number;
}

/** Milliseconds per document. `cpu`: CPU time of this process, without other work on the machine. */
interface Timed {
  p50: number;
  p99: number;
  cpu: number;
}

/** Measures the calculation of a document of 1,000 lines, once with lines only, and once with discounts and taxes everywhere. */
export function calculate(): Calculated {
  const full = fullDocument();
  const startedAt = performance.now();
  documentTotals(full);
  const first = performance.now() - startedAt;
  return { lines: LINES, first, plain: timed(plainDocument()), full: timed(full) };
}

function timed(document: Priced): Timed {
  for (let run = 0; run < WARM_UP; run++) documentTotals(document);
  const before = process.cpuUsage();
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    documentTotals(document);
    return performance.now() - startedAt;
  });
  const used = process.cpuUsage(before);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), cpu: (used.user + used.system) / 1000 / RUNS };
}

const rate = (value: string, inclusive: boolean): TaxTerm => ({ key: value, value, isPercent: true, inclusive });

function line(index: number): PricedLine {
  const unitCost = `${1 + ((index * 7919) % 500)}.${String((index * 104_729) % 10_000).padStart(4, '0')}`;
  const quantity = index % 4 === 0 ? `${1 + (index % 9)}.5` : `${1 + (index % 9)}`;
  return { quantity, unitCost, discountable: true, taxable: true, discounts: [], taxes: [] };
}

function plainDocument(): Priced {
  const lines = Array.from({ length: LINES }, (_, index) => line(index));
  return { lines, discounts: [], taxes: [], currency: 'usd' };
}

/**
 * A document with discounts and taxes. Every third line has a discount and every fifth a tax rate; some lines are excluded from the discounts
 * and taxes of the document.
 */
function fullDocument(): Priced {
  const lines = Array.from({ length: LINES }, (_, index) => ({
    ...line(index),
    discounts: index % 3 === 0 ? [{ value: '7.5', isPercent: true }] : [],
    taxes: index % 5 === 0 ? [rate('3.25', false)] : [],
    discountable: index % 11 !== 0,
    taxable: index % 13 !== 0,
  }));
  const discounts = [
    { value: '10', isPercent: true },
    { value: '250', isPercent: false },
  ];
  return { lines, discounts, taxes: [rate('20', true), rate('6.625', false)], currency: 'usd' };
}
