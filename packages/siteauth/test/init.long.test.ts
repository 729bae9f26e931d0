import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { World } from '../src/lib/environment.ts'
import { contents, createProject, type Files, SECRET, type TestProject } from './command-line.ts'

const NEXT: Files = {
  'package.json': '{"dependencies":{"next":"16.4.3"}}',
  'tsconfig.json': '{}',
  'src/app/page.tsx': '',
}

/** Runs init where packages are installed by nobody, and answers what would have been run. */
async function init(project: TestProject, ...args: readonly string[]) {
  const started: string[] = []
  const start: World['start'] = async command => {
    started.push(command.join(' '))
    return { status: command[0] === 'git' ? 128 : 0, output: '' }
  }
  const ran = await project.runIn({ start }, 'init', ...args)
  return { ...ran, installed: started.filter(each => !each.startsWith('git')) }
}

describe('siteauth init', () => {
  it('sets up a Next application in TypeScript, with sources in src', async () => {
    const project = createProject(NEXT)
    const { code, installed, told } = await init(project, '--yes')
    expect(code).toBe(0)
    expect(project.read('src/auth.ts')).toContain(
      `import GitHub from '@siteauth/next/providers/github'`,
    )
    expect(project.read('src/app/api/auth/[...siteauth]/route.ts')).toContain(
      `from '../../../../auth'`,
    )
    expect(project.read('.env.local')).toMatch(
      /^AUTH_SECRET=[\w-]{43}\nAUTH_GITHUB_ID=\nAUTH_GITHUB_SECRET=\n$/,
    )
    expect(installed).toEqual(['npm install @siteauth/next @siteauth/core'])
    expect(told).toContain('http://localhost:3000/api/auth/callback/github')
  })

  it('leaves a project in which nothing but client ids is missing', async () => {
    const project = createProject({ ...NEXT, 'src/app/page.tsx': '' })
    await init(project, '--yes')
    const { output } = await project.run('doctor', '--json', '--offline')
    const { findings } = JSON.parse(output) as { findings: { code: string }[] }
    expect(findings.map(({ code }) => code)).toEqual(['missing-client-id'])
  })

  it('writes JavaScript where there is no TypeScript', async () => {
    const project = createProject({ 'package.json': NEXT['package.json'] ?? '', 'app/page.js': '' })
    await init(project, '--yes', '--provider', 'google')
    expect(project.read('auth.js')).toContain('providers: [Google]')
  })

  it.each([
    [
      'module',
      `import Google from '@siteauth/core/providers/google'`,
      `import { auth } from './auth.js'`,
    ],
    [
      'commonjs',
      `const Google = require('@siteauth/core/providers/google').default`,
      `require('./auth.js')`,
    ],
  ])('sets up an empty Express project of type %s', async (type, config, server) => {
    const project = createProject({
      'package.json': JSON.stringify({ type, dependencies: { express: '5' } }),
    })
    const { code, told } = await init(project, '--yes', '--provider', 'google')
    expect(code).toBe(0)
    expect(project.read('auth.js')).toContain(config)
    expect(project.read('server.js')).toContain(server)
    expect(told).toContain('http://localhost:3000/auth/callback/google')
  })

  it('leaves a server alone that is there, and says what to put into it', async () => {
    const project = createProject({
      'package.json': '{"type":"module","dependencies":{"express":"5"}}',
      'server.js': 'listen()',
    })
    const { told } = await init(project, '--yes')
    expect(project.read('server.js')).toBe('listen()')
    expect(told).toContain(`app.use('/auth', auth.handler)`)
  })

  it('replaces no file with --yes, and shows what it would have written', async () => {
    const project = createProject({ ...NEXT, 'src/auth.ts': 'mine' })
    const { code, told } = await init(project, '--yes')
    expect(code).toBe(3)
    expect(project.read('src/auth.ts')).toBe('mine')
    expect(told).toMatch(/kept +src\/auth\.ts\nIt would have been:\n {4}import SiteAuth/)
  })

  it.each([true, false])(
    'asks before it replaces a file, and takes the answer: %s',
    async answer => {
      const project = createProject({ ...NEXT, 'src/auth.ts': 'mine' })
      const asker: World['asker'] = {
        confirm: async () => answer,
        choose: async (_, [first]) => first?.value as never,
      }
      await project.runIn({ asker }, 'init', '--no-install', '--provider', 'github')
      expect(project.read('src/auth.ts') === 'mine').toBe(!answer)
    },
  )

  it('changes nothing when it is run again', async () => {
    const project = createProject(NEXT)
    await init(project, '--yes')
    const before = project.read('.env.local')
    const { code, told } = await init(project, '--yes')
    expect(code).toBe(0)
    expect(told).toMatch(/unchanged src\/auth\.ts/)
    expect(project.read('.env.local')).toBe(before)
  })

  it('uses the database that the project has', async () => {
    const project = createProject({
      ...NEXT,
      'prisma/schema.prisma': '',
      'src/lib/prisma.ts': 'export const prisma = new PrismaClient()',
    })
    const { installed } = await init(project, '--yes')
    expect(project.read('src/auth.ts')).toContain(`import { prisma } from './lib/prisma'`)
    expect(project.read('src/auth.ts')).toContain('adapter: PrismaAdapter(prisma)')
    expect(installed[0]).toContain('@auth/prisma-adapter')
  })

  it.each([
    ['pnpm-lock.yaml', 'pnpm add'],
    ['yarn.lock', 'yarn add'],
    ['bun.lock', 'bun add'],
  ])('installs by the package manager of %s', async (file, command) => {
    const project = createProject({ ...NEXT, [file]: '' })
    const { installed } = await init(project, '--yes')
    expect(installed[0]).toMatch(new RegExp(`^${command} @siteauth/next`))
  })

  it('keeps secrets out of the repository', async () => {
    const project = createProject(NEXT)
    execFileSync('git', ['init', '--quiet'], { cwd: project.folder })
    await project.run('init', '--yes', '--no-install')
    expect(project.read('.gitignore')).toBe('.env.local\n')
  })

  it('says what to begin with where there is no project', async () => {
    const { code, told } = await init(createProject(), '--yes')
    expect(code).toBe(1)
    expect(told).toContain('npx create-next-app')
  })

  it.each([
    ['.env', `AUTH_SECRET=${SECRET}\nAUTH_GITHUB_ID=1\nAUTH_GITHUB_SECRET=2\n`],
    ['.env', `NEXTAUTH_SECRET=${SECRET}\nAUTH_GITHUB_ID=1\nAUTH_GITHUB_SECRET=2\n`],
  ])('hides nothing that %s sets: %s', async (file, text) => {
    const project = createProject({ ...NEXT, [file]: text })
    await init(project, '--yes')
    expect(existsSync(join(project.folder, '.env.local'))).toBe(false)
    expect(project.read(file)).toBe(text)
  })

  it('fills in a secret that is there and empty', async () => {
    const project = createProject({ ...NEXT, '.env.local': 'AUTH_SECRET= # make one\n' })
    await init(project, '--yes')
    expect(project.read('.env.local')).toMatch(/^AUTH_SECRET= [\w-]{43} # make one\n/)
  })

  it('says how to get a file out of Git that holds the secret now', async () => {
    const project = createProject({ ...NEXT, '.env.local': 'A=1\n', '.gitignore': '.env.local\n' })
    for (const args of [
      ['init', '--quiet'],
      ['add', '--force', '.env.local'],
    ]) {
      execFileSync('git', args, { cwd: project.folder })
    }
    const { told } = await project.run('init', '--yes', '--no-install')
    expect(told).toContain('git rm --cached .env.local')
    expect(project.read('.gitignore')).toBe('.env.local\n')
  })

  it.each([
    ['src/auth.ts', `export const supabase = 1\n`],
    ['src/auth.js', `exports.login = 1\n`],
    ['src/auth/index.ts', `export const login = 1\n`],
  ])('writes no route for %s of another kind', async (file, text) => {
    const project = createProject({ ...NEXT, [file]: text })
    const { code, told } = await init(project, '--yes')
    expect(code).toBe(3)
    expect(told).toContain('It would have been')
    const { [file]: kept, ...others } = contents(project)
    expect(kept).toBe(text)
    expect(Object.keys(others)).not.toContain('src/app/api/auth/[...siteauth]/route.ts')
    expect(Object.keys(others).filter(each => each.startsWith('src/auth'))).toEqual([])
  })

  it.each([
    ['src/app/api/auth/[...all]/route.ts'],
    ['src/app/(main)/api/auth/[[...x]]/route.js'],
    ['src/pages/api/auth/[...auth].ts'],
  ])('writes no route beside %s, which Next would refuse', async file => {
    const project = createProject({ ...NEXT, [file]: 'export {}\n' })
    const { code, told } = await init(project, '--yes')
    expect(code).toBe(3)
    expect(told).toContain(`there is ${file}`)
    expect(existsSync(join(project.folder, 'src/app/api/auth/[...siteauth]'))).toBe(false)
  })

  it('sends projects of Auth.js to from-authjs, and writes nothing', async () => {
    const files = { 'package.json': '{"dependencies":{"next":"16","next-auth":"5"}}' }
    const project = createProject(files)
    const { code, told } = await init(project, '--yes')
    expect(code).toBe(1)
    expect(told).toContain('npx siteauth from-authjs')
    expect(contents(project)).toEqual(files)
  })

  it('changes nothing the second time', async () => {
    const project = createProject(NEXT)
    await init(project, '--yes')
    const before = contents(project)
    expect((await init(project, '--yes')).code).toBe(0)
    expect(contents(project)).toEqual(before)
  })
})
