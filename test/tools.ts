import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';

/** Programs that the extra tests need and npm does not install. */
export interface Tools {
  chromium: string;
  schemathesis: string;
  /** A Python that has the client of another billing product, whose calls work here, and a reader of spreadsheets. */
  pythonClient: string;
  /** Class path of Java with the validators of e-invoices. */
  validators: string;
}

const MAVEN_CENTRAL = 'https://repo.maven.apache.org/maven2';
const SCHEMATHESIS_VERSION = '4.32.5';
const PYTHON_CLIENT_VERSION = '3.0.0';
const OPENPYXL_VERSION = '3.1.5';
const KUBERNETES_VALIDATE_VERSION = '1.37.0';

/**
 * Jar files of Maven Central: Mustang, which validates e-invoices and has veraPDF and Saxon in it, and the official validation artefacts of
 * EN 16931.
 */
const VALIDATORS = [
  {
    path: 'org/mustangproject/Mustang-CLI/2.26.0/Mustang-CLI-2.26.0.jar',
    sha256: '42d7868cb68264874a7b8cab4c3587b03b23ccc7cd72373da917f66758bb9736',
  },
  {
    path: 'com/helger/phive/rules/phive-rules-en16931/4.3.7/phive-rules-en16931-4.3.7.jar',
    sha256: '842998fe45911442b711300ab251e46489a9a5e2ffc02ddefc4293f8784c2662',
  },
];

/**
 * Finds the programs. Installs missing ones: Chromium, Poppler, Java and psql from Debian (as root), schemathesis and a client in Python from
 * PyPI, and the validators of e-invoices from Maven Central into the cache.
 */
export async function ensureTools(cacheFolder: string, progress: (line: string) => void): Promise<Tools> {
  const chromium = onPath(['chromium', 'chromium-browser', 'google-chrome']);
  const missing = [
    ...(chromium ? [] : ['chromium']),
    ...(onPath(['pdftoppm']) ? [] : ['poppler-utils']),
    ...(onPath(['javac']) ? [] : ['default-jdk-headless']),
    ...(onPath(['psql']) ? [] : ['postgresql-client']),
  ];
  if (missing.length > 0) installFromDebian(missing, progress);
  const found = chromium ?? onPath(['chromium']);
  if (!found) throw new Error('Chromium was installed but is not on the PATH');
  const schemathesis = ensureSchemathesis(cacheFolder, progress);
  const pythonClient = ensurePythonClient(cacheFolder, progress);
  const validators = await Promise.all(VALIDATORS.map((jar) => ensureJar(jar, cacheFolder, progress)));
  return { chromium: found, schemathesis, pythonClient, validators: validators.join(delimiter) };
}

async function ensureJar(
  { path, sha256 }: (typeof VALIDATORS)[number],
  cacheFolder: string,
  progress: (line: string) => void,
): Promise<string> {
  const file = join(cacheFolder, `${sha256.slice(0, 16)}-${basename(path)}`);
  if (existsSync(file)) return file;
  progress(`Downloading ${basename(path)} (once)`);
  const answer = await fetch(`${MAVEN_CENTRAL}/${path}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${path} has another content: ${answer.status}, ${found}`);
  await mkdir(cacheFolder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, bytes);
  await rename(`${file}.${process.pid}`, file);
  return file;
}

export function ensureSchemathesis(cacheFolder: string, progress: (line: string) => void): string {
  const tool = { name: 'schemathesis', version: SCHEMATHESIS_VERSION, needs: 'bin/schemathesis' };
  return join(ensurePython(cacheFolder, tool, progress), 'bin', 'schemathesis');
}

/** A program that compares resources with the schemas of Kubernetes, which it contains. */
export function ensureKubernetesValidate(cacheFolder: string, progress: (line: string) => void): string {
  const needs = 'bin/kubernetes-validate';
  const tool = { name: 'kubernetes-validate', version: KUBERNETES_VALIDATE_VERSION, needs };
  return join(ensurePython(cacheFolder, tool, progress), needs);
}

function ensurePythonClient(cacheFolder: string, progress: (line: string) => void): string {
  const reader = `openpyxl==${OPENPYXL_VERSION}`;
  const tool = { name: 'invoiced', version: PYTHON_CLIENT_VERSION, needs: reader, more: [reader] };
  return join(ensurePython(cacheFolder, tool, progress), 'bin', 'python');
}

interface PythonTool {
  name: string;
  version: string;
  /** The file that shows that it is installed. */
  needs: string;
  /** Further packages, with their versions. */
  more?: readonly string[];
}

/** The folder of a Python environment with a package from PyPI. */
function ensurePython(
  cacheFolder: string,
  { name, version, needs, more = [] }: PythonTool,
  progress: (line: string) => void,
): string {
  const folder = join(cacheFolder, `${name}-${version}`);
  if (existsSync(join(folder, needs))) return folder;
  progress(`Installing ${name} ${version} into ${folder} (once)`);
  run('python3', ['-m', 'venv', folder], `${name} needs Python 3 with the venv module`);
  run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`, ...more], 'PyPI must be reachable');
  if (!existsSync(join(folder, needs))) writeFileSync(join(folder, needs), '');
  return folder;
}

function installFromDebian(names: readonly string[], progress: (line: string) => void): void {
  progress(`Installing ${names.join(' and ')} (once)`);
  const how = `install them by hand: apt-get install ${names.join(' ')}`;
  run('apt-get', ['update', '-qq'], how);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], how);
}

function run(program: string, args: readonly string[], otherwise: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    throw new Error(`${program} ${args[0]} failed; ${otherwise}`, { cause: error });
  }
}

function onPath(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}
