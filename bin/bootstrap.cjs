#!/usr/bin/env node
// Entry point. Runs on any Node from version 16. Installs the locked dependencies if they are missing. One of them is the Node version that
// Perennial needs, which then runs bin/perennial.ts.
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { constants } = require('node:os');
const { join } = require('node:path');

const project = join(__dirname, '..');
const lockFile = join(project, 'package-lock.json');
const record = join(project, 'node_modules', '.perennial-lock-hash');
const node = join(project, 'node_modules', 'node', 'bin', 'node');

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

// Whether `npm ci` or `npm install` has installed the locked versions. npm writes its list of installed packages at the very end. Optional
// packages may be missing, because they may be for other machines.
function installedByHand() {
  const installed = read(join(project, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  const have = JSON.parse(installed).packages;
  const want = JSON.parse(read(lockFile)).packages;
  return Object.keys(want).every((path) => {
    return path === '' || want[path].optional || (have[path] && have[path].integrity === want[path].integrity);
  });
}

function installWhenNeeded() {
  const hash = createHash('sha256').update(read(lockFile)).digest('hex');
  if (existsSync(node) && read(record) === hash) return;
  if (!existsSync(node) || !installedByHand()) install();
  writeFileSync(record, hash);
}

function install() {
  console.log('Installing the locked dependencies (once, a minute or two) …');
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const args = npm.slice(1).concat('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
  const result = spawnSync(npm[0], args, { cwd: project, stdio: 'inherit' });
  if (result.status === 0 && existsSync(node)) return;
  const reason = result.error
    ? result.error.message
    : result.status === 0
      ? 'it did not install Node'
      : `it ended with ${result.status}`;
  console.error(`The dependencies could not be installed ("npm ci": ${reason}). Fix the error above and start again.`);
  process.exit(1);
}

// The IPC channel tells the child when this process is gone, and brings the line that the child has to say when it is ready. Signals are
// forwarded to the child, and its exit code becomes ours.
function run() {
  const compiled = join(project, 'node_modules', '.cache', 'node'); // the compile cache halves the time to load the program
  const child = spawn(node, [join(__dirname, 'perennial.ts')].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({ NODE_COMPILE_CACHE: compiled }, process.env),
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  child.on('message', (line) => console.log(line));
  child.on('error', (error) => {
    console.error(`${node} could not be run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
  if (process.env.npm_lifecycle_event) endWithNpm(child);
}

// Ends the child when npm is gone. npm starts this program through a shell and does not forward signals.
function endWithNpm(child) {
  const shell = process.ppid;
  const npm = parentOf(shell);
  const watched = /npm/.test(npm.command) ? npm.pid : null;
  setInterval(() => {
    if (process.ppid !== shell || (watched && !exists(watched))) child.kill('SIGTERM');
  }, 500).unref();
}

function parentOf(pid) {
  const ask = (id, column) =>
    spawnSync('ps', ['-o', `${column}=`, '-p', String(id)], { encoding: 'utf8' }).stdout || '';
  const isLinux = process.platform === 'linux';
  const parent = Number(isLinux ? read(`/proc/${pid}/stat`).split(') ').pop().split(' ')[1] : ask(pid, 'ppid'));
  const command = isLinux ? read(`/proc/${parent}/cmdline`) : ask(parent, 'args');
  return { pid: parent, command };
}

function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

installWhenNeeded();
run();
