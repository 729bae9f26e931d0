// A recording would have to be made by hand; these pictures are made from what the command prints.
// They go to docs/pictures. Build first.
//
// node tools/terminal-pictures.mjs
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './workspace.mjs'

const PROGRAM = join(ROOT, 'packages/siteauth/dist/siteauth.js')
const MANIFEST = '{"dependencies":{"next":"16.4.3","@siteauth/next":"^0.41.3"}}'

/** What is shown, and the project it is run in. */
const PICTURES = {
  init: {
    args: ['init', '--yes', '--provider', 'google', '--no-install'],
    files: { 'package.json': '{"dependencies":{"next":"16.4.3"}}', 'tsconfig.json': '{}' },
  },
  doctor: {
    args: ['doctor', '--production', '--offline'],
    files: {
      'package.json': MANIFEST,
      'auth.ts': [
        "import SiteAuth from '@siteauth/next'",
        "import Google from '@siteauth/next/providers/google'",
        'export const { handlers, auth } = SiteAuth({ providers: [Google], debug: true })',
      ].join('\n'),
      'app/api/auth/[...siteauth]/route.ts': 'export const { GET, POST } = handlers',
      '.env':
        'AUTH_SECRET=changeme-changeme-changeme-changeme\nAUTH_URL=http://localhost:3000\nAUTH_GOOGLE_ID=1234\n',
    },
  },
}

const STYLES = {
  1: 'font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  36: 'fill="#79c0ff"',
}

for (const [name, { args, files }] of Object.entries(PICTURES)) {
  const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, FORCE_COLOR: '1' },
  })
  rmSync(folder, { recursive: true })
  const shown = `$ npx siteauth ${args.join(' ')}\n${stderr}${stdout}`.trimEnd()
  writeFileSync(
    join(ROOT, `docs/pictures/terminal-${name}.svg`),
    draw(shown, `npx siteauth ${args.join(' ')}`),
  )
}

/** The text of a terminal as a picture. */
function draw(text, title) {
  const lines = text.split('\n').flatMap(line => wrap(line, 100))
  const rows = lines.map((line, index) => {
    const y = 34 + index * 20
    return `<text x="20" y="${y}" xml:space="preserve">${colour(line)}</text>`
  })
  const height = lines.length * 20 + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="${height}" viewBox="0 0 860 ${height}"`,
    ' font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
    `<title>${title}</title>`,
    `<rect width="860" height="${height}" rx="10" fill="#0d1117"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

/** Lines as long as the terminal is wide. Colours are only at the beginning of those that are longer. */
function wrap(line, width) {
  if (stripVTControlCharacters(line).length <= width) return [line]
  const at = line.lastIndexOf(' ', width)
  return [line.slice(0, at), ...wrap(`   ${line.slice(at)}`, width)]
}

/** Each style of ANSI begins with its number, and ends with one that we need not tell apart. */
function colour(line) {
  const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  return escaped.replaceAll(/\u001b\[(\d+)m/g, (_, code) =>
    STYLES[code] ? `<tspan ${STYLES[code]}>` : '</tspan>',
  )
}
