import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import Database from 'libsql'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contents, createProject, type Files, type TestProject } from './command-line.ts'

/** A folder that no command has any business in. */
function outside(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return folder
}

/** The files of a folder, and what is in them. */
function filesIn(folder: string): Files {
  return Object.fromEntries(
    readdirSync(folder).map(file => [file, readFileSync(join(folder, file), 'utf8')]),
  )
}

const NEXT: Files = {
  'package.json': JSON.stringify({ dependencies: { next: '16.4.3', '@siteauth/core': '^0.41.3' } }),
}

const AUTH: Files = {
  ...NEXT,
  'auth.ts': `import SiteAuth from '@siteauth/next'\nexport const { auth } = SiteAuth({ providers: [] })\n`,
}

/** A command that would write a file. */
interface Writer {
  readonly args: readonly string[]
  readonly file: string
  readonly files?: Files
}

const INIT = ['init', '--yes', '--no-install', '--no-store']

const WRITERS: Readonly<Record<string, Writer>> = {
  secret: { args: ['secret'], file: '.env' },
  'secret --file': { args: ['secret', '--file', 'my.env'], file: 'my.env' },
  'init, the variables': { args: INIT, file: '.env.local', files: NEXT },
  'add, the code': { args: ['add', 'google'], file: 'auth.ts', files: AUTH },
  'add, the variables': { args: ['add', 'google'], file: '.env.local', files: AUTH },
  'schema drizzle': { args: ['schema', 'drizzle'], file: 'auth-schema.js' },
  'schema prisma': { args: ['schema', 'prisma'], file: 'prisma/schema.prisma' },
  'schema --file': { args: ['schema', 'prisma', '--file', 'a.prisma'], file: 'a.prisma' },
  'migrate apply': { args: ['migrate', 'apply', '--url', 'auth.db'], file: 'auth.db' },
}

/** Puts a link in the place of a file, which keeps its contents elsewhere. */
function link(project: TestProject, file: string, target: string): void {
  mkdirSync(join(project.folder, file, '..'), { recursive: true })
  rmSync(join(project.folder, file), { force: true })
  symlinkSync(target, join(project.folder, file))
}

/** With those that keep a file that exists. */
const CREATORS: Readonly<Record<string, Writer>> = {
  ...WRITERS,
  'init, the configuration': { args: INIT, file: 'auth.js', files: NEXT },
}

describe('a link that leads out of the project', () => {
  it.each(Object.entries(WRITERS))('is not written through by %s', async (_, writer) => {
    const { args, file, files = {} } = writer
    const project = createProject(files)
    const text = files[file] ?? ''
    const folder = outside({ target: text })
    link(project, file, join(folder, 'target'))
    const { code, told } = await project.run(...args)
    expect(filesIn(folder)).toEqual({ target: text })
    expect(code).toBe(1)
    expect(told).toContain(join(folder, 'target'))
  })

  it.each(Object.entries(CREATORS))('creates nothing where it leads: %s', async (_, writer) => {
    const { args, file, files = {} } = writer
    const project = createProject(files)
    const folder = outside()
    link(project, file, join(folder, 'target'))
    const { code } = await project.run(...args)
    expect(filesIn(folder)).toEqual({})
    // A list of providers that is nowhere is not added to.
    expect([1, 3]).toContain(code)
  })

  it.each([
    ['.env', ['secret']],
    ['.env', ['migrate', 'apply', '--url', '.env']],
  ])('may have two dots in it, or further links: %s, %s', async (file, args) => {
    const project = createProject({ 'a/b/x': '' })
    const folder = outside()
    const back = relative(project.folder, folder)
    symlinkSync('a/b', join(project.folder, 'short'))
    symlinkSync(join('../..', back, 'target'), join(project.folder, 'a/b/far'))
    symlinkSync('short/far', join(project.folder, file))
    const { code } = await project.run(...args)
    expect(code).toBe(1)
    expect(filesIn(folder)).toEqual({})
  })

  it.each([
    ['prisma', ['schema', 'prisma']],
    ['data', ['migrate', 'apply', '--url', 'data/auth.db']],
    ['data', ['secret', '--file', 'data/new/.env']],
  ])('may be a folder: %s, %s', async (name, args) => {
    const project = createProject()
    const folder = outside()
    symlinkSync(folder, join(project.folder, name))
    const { code } = await project.run(...args)
    expect(code).toBe(1)
    expect(filesIn(folder)).toEqual({})
  })

  it('is a folder of routes', async () => {
    const project = createProject(NEXT)
    const folder = outside()
    symlinkSync(folder, join(project.folder, 'app'))
    const { code } = await project.run(...INIT)
    expect(code).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves what begins like the project alone as well', async () => {
    const project = createProject()
    const beside = `${project.folder}-2`
    mkdirSync(beside)
    onTestFinished(() => rmSync(beside, { recursive: true }))
    symlinkSync(join(beside, 'x'), join(project.folder, '.env'))
    expect((await project.run('secret')).code).toBe(1)
    expect(readdirSync(beside)).toEqual([])
  })

  it('is left alone and listed by from-authjs, also in place of a manifest or of tsconfig', async () => {
    const manifest = JSON.stringify({ dependencies: { 'next-auth': '5.0.0-beta.30' } })
    const settings = '{ "compilerOptions": { "types": ["next-auth"] } }'
    const folder = outside({ 'package.json': manifest, 'tsconfig.json': settings })
    const project = createProject({ 'auth.ts': `import NextAuth from 'next-auth'\n` })
    for (const file of ['package.json', 'tsconfig.json']) link(project, file, join(folder, file))
    const { output } = await project.run('from-authjs')
    expect(filesIn(folder)).toEqual({ 'package.json': manifest, 'tsconfig.json': settings })
    expect(output).toContain('package.json\n    It is a link out of this project')
    expect(output).toContain('tsconfig.json\n    It is a link out of this project')
  })
})

describe('a path that leads out of the project', () => {
  it('is not written to if package.json names it', async () => {
    const folder = outside({ 'schema.prisma': 'generator client {}\n' })
    const project = createProject()
    const schema = relative(project.folder, join(folder, 'schema.prisma'))
    project.write({ 'package.json': JSON.stringify({ prisma: { schema } }) })
    const { code, told } = await project.run('schema', 'prisma')
    expect(code).toBe(1)
    expect(told).toContain('is not in this project')
    expect(filesIn(folder)).toEqual({ 'schema.prisma': 'generator client {}\n' })
  })

  it('is written to if the command names it', async () => {
    const folder = outside()
    const file = relative(createProject().folder, join(folder, 'x.env'))
    const { code } = await createProject().run('secret', '--file', file)
    expect(code).toBe(0)
    expect(Object.keys(filesIn(folder))).toEqual(['x.env'])
  })

  it('is not written to if a link leads further from where the command names it', async () => {
    const elsewhere = outside()
    const folder = outside()
    symlinkSync(join(elsewhere, 'x'), join(folder, 'x.env'))
    expect((await createProject().run('secret', '--file', join(folder, 'x.env'))).code).toBe(1)
    expect(filesIn(elsewhere)).toEqual({})
  })
})

describe('a link within the project', () => {
  it('is followed, whatever folder it goes through', async () => {
    const project = createProject({ 'shared/deep/variables': 'A=1\n' })
    symlinkSync('shared', join(project.folder, 'all'))
    symlinkSync('all/deep/../deep/variables', join(project.folder, '.env'))
    expect((await project.run('secret')).code).toBe(0)
    expect(project.read('shared/deep/variables')).toMatch(/^A=1\nAUTH_SECRET=/)
  })

  it('is followed to a database', async () => {
    const project = createProject({ 'data/.keep': '' })
    symlinkSync('data/auth.db', join(project.folder, 'auth.db'))
    expect((await project.run('migrate', 'apply', '--url', 'auth.db')).code).toBe(0)
    const client = new Database(join(project.folder, 'data/auth.db'))
    onTestFinished(() => void client.close())
    expect(client.prepare('select count(*) as rows from users').get()).toMatchObject({ rows: 0 })
  })

  it('is followed to a file that is not there yet', async () => {
    const project = createProject()
    symlinkSync('new/variables', join(project.folder, '.env'))
    expect((await project.run('secret')).code).toBe(0)
    expect(Object.keys(contents(project))).toEqual(['new/variables'])
  })

  it('is refused if it leads to itself', async () => {
    const project = createProject()
    symlinkSync('.env', join(project.folder, '.env'))
    expect((await project.run('secret')).code).toBe(1)
  })

  it('is no hindrance above the project', async () => {
    const project = createProject()
    const folder = outside()
    symlinkSync(project.folder, join(folder, 'here'))
    const { code } = await project.run('--cwd', join(folder, 'here'), 'secret')
    expect(code).toBe(0)
    expect(Object.keys(contents(project))).toEqual(['.env'])
  })
})
