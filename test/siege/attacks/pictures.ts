import { type Attack, type Attacker, repeat } from '../attack.ts';
import { emptyJpeg, emptyPng, textBomb } from './png.ts';
import { openDocument } from './texts.ts';

const BOUNDARY = 'boundary-of-the-siege';
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="a0"><rect/></g>${Array.from({ length: 12 }, (_, n) => `<g id="a${n + 1}">${`<use href="#a${n}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#a12"/></svg>`;

const pictures: readonly (readonly [string, string, () => Buffer])[] = [
  [
    '40,000 x 40,000 with 1 bit per pixel',
    'image/png',
    makeOnce(() => emptyPng({ width: 40_000, height: 40_000, bitDepth: 1, colourType: 0 })),
  ],
  [
    '8,000 x 6,500 in colour',
    'image/png',
    makeOnce(() => emptyPng({ width: 8000, height: 6500, bitDepth: 8, colourType: 6 })),
  ],
  ['60,000 x 1', 'image/png', makeOnce(() => emptyPng({ width: 60_000, height: 1, bitDepth: 16, colourType: 6 }))],
  [
    'a PNG without its rows',
    'image/png',
    makeOnce(() => emptyPng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1, bitDepth: 16, colourType: 6 }).subarray(0, 60)),
  ],
  ['a PNG with a text bomb', 'image/png', makeOnce(textBomb)],
  [
    'a truncated PNG',
    'image/png',
    makeOnce(() => emptyPng({ width: 500, height: 500, bitDepth: 8, colourType: 2 }).subarray(0, 300)),
  ],
  ['a JPEG of 65,535 x 65,535', 'image/jpeg', makeOnce(() => emptyJpeg(65_535, 65_535))],
  ['an empty JPEG', 'image/jpeg', makeOnce(() => Buffer.from([0xff, 0xd8, 0xff]))],
  ['an SVG bomb', 'image/svg+xml', makeOnce(() => Buffer.from(svg))],
  ['SVG as PNG', 'image/png', makeOnce(() => Buffer.from(svg))],
  ['HTML as PNG', 'image/png', makeOnce(() => Buffer.from('<script>alert(1)</script>'))],
];

function makeOnce(make: () => Buffer): () => Buffer {
  let made: Buffer | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** A multipart form with one file. */
export function form(content: Buffer, { name, type }: { name: string; type: string }) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

const logos: Attack = {
  name: 'pictures as logo',
  tries: `logos: ${pictures.map(([name]) => name).join(', ')}; then four documents at the same time`,
  run: async (at) => {
    const [, type, make] = pictures[at.random.below(pictures.length)] ?? pictures[0] ?? ['', '', () => Buffer.alloc(0)];
    const file = await at.call('POST', '/files', form(make(), { name: 'logo.png', type }));
    if (!file.json?.id) return;
    await at.call('PATCH', '/account', { body: { logo: file.json.id } });
    const customer = await at.customer();
    await repeat(at, { times: 4, width: 4 }, async () => {
      const made = await at.call('POST', '/invoices', { body: { customer, items: [{ name: 'x', unit_cost: 1 }] } });
      await openDocument(at, made.json);
    });
    await at.call('PATCH', '/account', { body: { logo: null } });
  },
};

const uploads: Attack = {
  name: 'uploads',
  tries: 'uploads up to 26 MiB, with hostile names and malformed forms, and downloads them',
  run: (at) =>
    repeat(at, { times: 6, width: 3 }, async () => {
      const size = at.random.pick([25 * 1024 * 1024 - 500, 26 * 1024 * 1024, 5_000_000, 1000]);
      const name = at.random.pick([
        '..%2f..%2fetc',
        'a\u202Egnp.exe',
        'x'.repeat(300),
        'a.svg',
        'a.html',
        'nul\u0000.txt',
      ]);
      const file = await at.call('POST', '/files', form(Buffer.alloc(size, 97), { name, type: 'text/html' }));
      await parts(at);
      if (!file.json?.url) return;
      await at.visit(file.json.url, { from: 2 + at.random.below(40) });
      await at.call('DELETE', `/files/${file.json.id}`);
    }),
};

async function parts(at: Attacker): Promise<void> {
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n`;
  const head = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const body = at.random.pick([
    part.repeat(20_000),
    part,
    `--${BOUNDARY}\r\n${'A: b\r\n'.repeat(50_000)}`,
    '',
    `--${BOUNDARY}--`,
  ]);
  await at.call('POST', '/files', { body, headers: head });
}

const mailed: Attack = {
  name: 'large files in mails',
  tries: 'mails invoices with a file of 9 MiB to 20 recipients, which costs the worker memory and time',
  run: async (at) => {
    const file = await at.call(
      'POST',
      '/files',
      form(Buffer.alloc(9_500_000, 97), { name: 'a.bin', type: 'application/x' }),
    );
    if (!file.json?.id) return;
    const customer = await at.customer();
    const body = { customer, items: [{ name: 'x', unit_cost: 1 }], attachments: [file.json.id] };
    const made = await at.call('POST', '/invoices', { body });
    const to = Array.from({ length: 20 }, (_, n) => ({ name: `P${n}`, email: `p${n}@attacker.example` }));
    if (made.json?.id) await at.call('POST', `/invoices/${made.json.id}/emails`, { body: { to } });
  },
};

export const files: readonly Attack[] = [logos, uploads, mailed];
