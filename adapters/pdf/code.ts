import { encode } from 'uqr';

/** The modules of a QR code: for each row, the column and the length of each run of dark modules. */
export interface CodeRows {
  size: number;
  rows: [column: number, length: number][][];
}

/** White modules around a QR code. */
const BORDER = 2;

/** A QR code with the error correction that banks ask for (M). */
export function codeRows(content: string): CodeRows {
  const { size, data } = encode(content, { ecc: 'M', border: BORDER });
  return { size, rows: data.map(runsIn) };
}

function runsIn(row: readonly boolean[]): [column: number, length: number][] {
  const runs: [number, number][] = [];
  for (const [column, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last[0] + last[1] === column) last[1] += 1;
    else runs.push([column, 1]);
  }
  return runs;
}
