// What an application installs: packages and bytes, by really installing each into an empty folder.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectParts, progress } from './lib/progress.mjs'
import { report } from './lib/report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const room = mkdtempSync(join(tmpdir(), 'siteauth-install-'))
const packed = name => {
  const args = ['pack', '--silent', '--pack-destination', room]
  const file = execFileSync('npm', args, { cwd: join(root, 'packages', name), encoding: 'utf8' })
  return join(room, file.trim().split('\n').at(-1))
}
const core = packed('core')
const express = packed('express')
const peers = ['@auth/core', '@auth/express', 'iron-session', 'passport', 'better-auth']
expectParts(2 + peers.length)
const rows = [
  install('@siteauth/core', [core], true),
  install('@siteauth/express', [core, express], true),
  ...peers.map(name => install(name, [`${name}@${dependencies[name]}`], false)),
]
rmSync(room, { recursive: true })
report('install-size', {
  title: 'What is installed',
  note: 'Without peer dependencies that the application has anyway.',
  rows,
  columns: [
    ['MB', row => (row.bytes / 1e6).toFixed(2)],
    ['packages', row => row.packages],
  ],
})

function install(name, specs, ours) {
  const folder = mkdtempSync(join(room, 'app-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts', '--legacy-peer-deps']
  execFileSync('npm', ['install', ...flags, ...specs], { cwd: folder, stdio: 'pipe' })
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  const paths = files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
  progress(1)
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return {
    name,
    ours,
    bytes: paths.reduce((sum, path) => sum + statSync(path).size, 0),
    packages: Object.keys(lock.packages).filter(path => path !== '').length,
  }
}
