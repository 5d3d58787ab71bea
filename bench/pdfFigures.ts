import { type Figure, fixed } from './report.ts';
import type { Printing, Remembered } from './rows/pdfs.ts';

const AIM = 10;
/** Memory counts as flat if it grows by at most this factor over 9,000 PDFs. Allocators keep freed memory, so a little more is no leak. */
const FLAT = 1.1;
const bare = { reference: '', ratio: '' };

export function pdfFigures({ sizes, first }: Printing): Figure[] {
  return sizes.map(({ lines, perSecond, cpu, p50, p99, longestWait, bytes }) => ({
    ...bare,
    what: `PDF of an invoice of ${lines} lines, one process`,
    figure: [
      `${fixed(perSecond)}/s, p50 ${fixed(p50, 1)} ms, p99 ${fixed(p99, 1)} ms, ${fixed(cpu, 1)} ms CPU, ${fixed(bytes / 1000)} kB`,
      `others wait ${fixed(longestWait, 1)} ms at most`,
      ...(lines === 3 ? [`the first of a process ${fixed(first)} ms`] : []),
    ].join('; '),
    aim: lines === 3 ? `< ${AIM} ms` : '',
    met: lines === 3 ? cpu < AIM : null,
  }));
}

export function memoryOfPdfs({ warm, many }: Remembered): Figure {
  const shown = ({ pdfs, mebibytes }: Remembered['many']) =>
    `${fixed(mebibytes)} MiB after ${pdfs.toLocaleString('en')}`;
  return {
    ...bare,
    what: 'Memory of a process that makes PDFs, with its child',
    figure: `${shown(warm)}, ${shown(many)}`,
    aim: 'flat',
    met: many.mebibytes < warm.mebibytes * FLAT,
  };
}
