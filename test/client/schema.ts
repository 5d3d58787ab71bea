import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { openApiOf } from '../../api/openapi/document.ts';
import { routeGroups } from '../../api/resources/routes.ts';
import { projectFolder } from '../suites.ts';

export const schemaFile = join(projectFolder, 'client', 'schema.ts');

const folder = join(projectFolder, 'client', 'generator');
const { npm_execpath: path } = process.env;
const [npm, ...first] = path ? [process.execPath, path] : ['npm'];
const words = (...more: string[]) => [...first, '--prefix', folder, ...more];

/** Generates the types of the API's current OpenAPI document. */
export async function currentTypes(): Promise<string> {
  const document = JSON.stringify(openApiOf(routeGroups, 'https://billing.example'));
  await installGenerator();
  const generator = spawn(npm, words('run', '--silent', 'generate'), { stdio: ['pipe', 'pipe', 'inherit'] });
  generator.stdin.end(document);
  const types = await text(generator.stdout);
  if (types === '') throw new Error('openapi-typescript wrote nothing');
  return types;
}

/** Installs the generator, unless it is installed as its lock file says. */
export async function installGenerator(): Promise<void> {
  if (!isInstalled()) await promisify(execFile)(npm, words('ci', '--no-audit', '--no-fund'));
}

/** Compares npm's record of installed packages with the lock file. */
function isInstalled(): boolean {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const { '': _, ...wanted } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  return JSON.stringify(installed) === JSON.stringify(wanted);
}

if (process.argv[1] === import.meta.filename) writeFileSync(schemaFile, await currentTypes());
