import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleWorkflows } from '../../workers/bundle.ts';
import { withoutSourceMap } from './bundles.ts';

/** `node test/replay/storeBundle.ts <name>`: stores the workflow code of this working copy. Later versions must finish its processes. */
const [name = ''] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name)) throw new Error('Name the bundle by its version and commit, for example 0.1.0-1a2b3c4');
const work = mkdtempSync(join(tmpdir(), 'perennial-bundle-'));
const { codePath } = await bundleWorkflows(work);
const folder = join(import.meta.dirname, 'bundles');
mkdirSync(folder, { recursive: true });
const code = withoutSourceMap(readFileSync(codePath, 'utf8'));
writeFileSync(join(folder, `${name}.cjs.gz`), gzipSync(code, { level: 9 }));
rmSync(work, { recursive: true });
