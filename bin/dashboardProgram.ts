import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** `node dashboardProgram.ts <folder to write>`: builds the dashboard. The folder appears when it is complete. */
const [target = ''] = process.argv.slice(2);
const root = fileURLToPath(new URL('../dashboard', import.meta.url));
const unfinished = `${target}.${process.pid}`;
await build({
  root,
  base: '/dashboard/assets/',
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: unfinished,
    emptyOutDir: true,
    assetsDir: '.',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: fileURLToPath(new URL('../dashboard/main.tsx', import.meta.url)) },
  },
});
for (const name of globSync('*.{js,css}', { cwd: unfinished }))
  writeFileSync(join(unfinished, `${name}.br`), brotliCompressSync(readFileSync(join(unfinished, name))));
try {
  renameSync(unfinished, target);
} catch {
  rmSync(unfinished, { recursive: true }); // another process finished first
}
