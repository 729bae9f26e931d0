// Installs our packages under the names of those of Auth.js, as an application does that swaps nothing but its
// package.json, and runs a small program on each: it signs in, reads the session, signs out. Writes docs/aliases.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages } from './packed.mjs'
import { outcomeLine, ROOT } from './workspace.mjs'

const PROGRAMS = join(ROOT, 'conformance/aliases')
const CORE = { '@auth/core': '@siteauth/core' }

/** What is installed by which name, what else the application has, and what it finds there and does not. */
const ROWS = [
  {
    program: 'auth-core',
    aliases: CORE,
    imports: 'every name and sub-path',
  },
  {
    program: 'next-auth',
    aliases: { 'next-auth': '@siteauth/next' },
    ours: ['@siteauth/client', '@siteauth/core', '@siteauth/react'],
    company: { next: '16.4.3', react: '19.3.1', 'react-dom': '19.3.1' },
    imports: 'every name and sub-path of version 5, but `__NEXTAUTH`, which was internal',
  },
  {
    program: 'auth-express',
    aliases: { '@auth/express': '@siteauth/express' },
    ours: ['@siteauth/core'],
    company: { express: '5.3.0' },
    imports: 'every name and sub-path',
  },
  {
    program: 'auth-sveltekit',
    aliases: { '@auth/sveltekit': '@siteauth/sveltekit' },
    ours: ['@siteauth/client', '@siteauth/core', '@siteauth/svelte'],
    company: {
      '@sveltejs/kit': '2.70.4',
      '@sveltejs/vite-plugin-svelte': '6.2.4',
      svelte: '5.57.3',
      vite: '7.3.8',
    },
    overrides: { rollup: '4.65.0' },
    imports: 'every name; not `/components` and `/webauthn`',
  },
  {
    program: 'auth-solid-start',
    aliases: { '@auth/solid-start': '@siteauth/solid-start', ...CORE },
    ours: ['@siteauth/core'],
    company: { 'solid-js': '1.9.19' },
    imports: '`SolidAuth`, `getSession`',
  },
  {
    program: 'hono-auth-js',
    aliases: { '@hono/auth-js': '@siteauth/hono', ...CORE },
    ours: ['@siteauth/core'],
    company: { hono: '4.13.17' },
    imports: 'every name; not `/react`: use `@siteauth/react`',
  },
  {
    program: 'adapter',
    title: '`@auth/unstorage-adapter`, by `overrides`',
    aliases: CORE,
    company: { '@auth/unstorage-adapter': '2.11.2', unstorage: '1.17.6' },
    overrides: { '@auth/core': '$@auth/core' },
    imports: 'the adapter as it is published',
  },
]

function testAliases(names) {
  const unknown = names.filter(name => !ROWS.some(({ program }) => program === name))
  if (unknown.length > 0) throw new Error(`conformance/aliases has no ${unknown.join(', ')}.`)
  const packed = packPackages()
  const meant = ROWS.filter(({ program }) => names.length === 0 || names.includes(program))
  const outcomes = meant.map(row => {
    const started = performance.now()
    const fault = faultOf(row, packed)
    console.log(outcomeLine(row.program, { passed: fault === null, started }))
    if (fault) console.log(fault)
    return { ...row, passed: fault === null }
  })
  // Part of the table would look like all of it.
  if (names.length === 0) writeFileSync(join(ROOT, 'docs/aliases.md'), pageOf(outcomes))
  return outcomes.every(({ passed }) => passed)
}

/** What goes wrong on the way from package.json to somebody who has signed out; null if nothing does. */
function faultOf(row, packed) {
  const folder = mkdtempSync(join(tmpdir(), 'siteauth-alias-'))
  try {
    cpSync(PROGRAMS, folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOf(row, packed), null, 2))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: 'pipe',
      // Of whoever runs this: such a setting would hide what is tested.
      env: { ...process.env, npm_config_legacy_peer_deps: 'false', npm_config_force: 'false' },
    })
    const strange = Object.entries(row.aliases).find(
      ([alias, name]) => nameIn(folder, alias) !== name,
    )
    if (strange) return `${strange[0]} is ${nameIn(folder, strange[0])}`
    const { status, stderr } = spawnSync(process.execPath, [`${row.program}.mjs`], {
      cwd: folder,
      encoding: 'utf8',
    })
    return status === 0 ? null : stderr
  } catch (error) {
    return String(error.stderr ?? error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function manifestOf({ aliases, ours = [], company, overrides }, packed) {
  const archive = name => `file:${packed.get(name)}`
  const named = Object.entries(aliases).map(([alias, name]) => [alias, archive(name)])
  // Not in the registry yet, where the ones above would look for these.
  const others = [...new Set([...ours, '@siteauth/core', '@siteauth/testing'])]
  return {
    name: 'application',
    private: true,
    type: 'module',
    dependencies: {
      ...company,
      ...Object.fromEntries(others.map(name => [name, archive(name)])),
      ...Object.fromEntries(named),
    },
    ...(overrides && { overrides }),
  }
}

/** Which package was really installed by a name. */
function nameIn(folder, alias) {
  const file = join(folder, 'node_modules', alias, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).name
}

function pageOf(rows) {
  const linesOf = ({ title, aliases, imports, passed }) => {
    const names = Object.entries(aliases)
    const old = title ?? names.map(([alias]) => `\`${alias}\``).join(', ')
    const own = names.map(([, name]) => `\`npm:${name}\``).join(', ')
    return `| ${old} | ${own} | ${imports} | ${passed ? '✓' : '✗'} |`
  }
  return [
    '# By alias',
    '',
    '<!-- Written by npm run test:aliases. -->',
    '',
    'An application can keep its imports and swap only what they mean, in `package.json`:',
    '',
    '```json',
    '{',
    '  "dependencies": { "next-auth": "npm:@siteauth/next@^0.41.3", "@auth/core": "npm:@siteauth/core@^0.41.3" },',
    '  "overrides": { "@auth/core": "$@auth/core" }',
    '}',
    '```',
    '',
    'Adapters of Auth.js ask for an exact version of `@auth/core`. The override hands them ours, so that there is one. Nothing',
    'needs `--legacy-peer-deps`. Each row is a program in [conformance/aliases](../conformance/README.md) that signs in, reads',
    'the session and signs out, on packages as npm would publish them.',
    '',
    '| Imported | Installed | What can be imported | Signs in, reads, signs out |',
    '|---|---|---|:-:|',
    ...rows.map(linesOf),
    '',
    'To rename the imports as well, see [From Auth.js](guide/from-authjs.md).',
    '',
  ].join('\n')
}

process.exitCode = testAliases(process.argv.slice(2)) ? 0 : 1
