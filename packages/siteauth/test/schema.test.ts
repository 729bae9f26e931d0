import { describe, expect, it } from 'vitest'
import { contents, createProject } from './command-line.ts'

const PRISMA = `datasource db {
  provider = "postgresql"
}

/// Mine.
model User {
  id    String @id
  email String @unique
  posts Post[]

  @@index([email])
}

model Post {
  id     String @id
  user   User   @relation(fields: [userId], references: [id])
  userId String
}
`

describe('siteauth schema', () => {
  it('adds models and fields to a Prisma schema, and leaves what is there', async () => {
    const project = createProject({ 'prisma/schema.prisma': PRISMA })
    const { code, told } = await project.run('schema')
    const schema = project.read('prisma/schema.prisma')
    expect(code).toBe(0)
    for (const line of PRISMA.split('\n')) expect(schema).toContain(line)
    expect(schema).toMatch(/posts Post\[\]\n {2}name +String\?\n {2}emailVerified +DateTime\?/)
    expect(schema).toContain('model Account {')
    expect(told).toContain('+ User.emailVerified')
    expect(told).not.toContain('+ User.email\n')
  })

  it('changes nothing when it is run again', async () => {
    const project = createProject({ 'prisma/schema.prisma': PRISMA })
    await project.run('schema', 'prisma')
    const before = project.read('prisma/schema.prisma')
    const { told } = await project.run('schema', 'prisma')
    expect(told).toContain('unchanged')
    expect(project.read('prisma/schema.prisma')).toBe(before)
  })

  it('leaves nothing for doctor to find', async () => {
    const project = createProject({
      'prisma/schema.prisma': PRISMA,
      'auth.ts': `import { PrismaAdapter } from '@auth/prisma-adapter'
import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({ providers: [], adapter: PrismaAdapter(prisma) })`,
    })
    const codes = async () => (await project.run('doctor', '--json', '--offline')).output
    expect(await codes()).toContain('prisma-schema')
    await project.run('schema')
    expect(await codes()).not.toContain('prisma-schema')
  })

  it('prints a schema, and writes nothing', async () => {
    const project = createProject({ 'prisma/schema.prisma': PRISMA })
    const { output } = await project.run('schema', '--print')
    expect(output).toContain('model Account {')
    expect(project.read('prisma/schema.prisma')).toBe(PRISMA)
  })

  it.each([
    ['postgresql', 'drizzle-orm/pg-core'],
    ['mysql', 'drizzle-orm/mysql-core'],
    ['sqlite', 'drizzle-orm/sqlite-core'],
  ])('writes a Drizzle schema for the database of drizzle.config: %s', async (dialect, module) => {
    const project = createProject({
      'package.json': '{"dependencies":{"drizzle-orm":"0.45"}}',
      'tsconfig.json': '{}',
      'drizzle.config.ts': `export default { dialect: '${dialect}' }`,
    })
    expect((await project.run('schema')).code).toBe(0)
    expect(project.read('auth-schema.ts')).toContain(`from '${module}'`)
  })

  it('does not replace a schema that somebody has changed', async () => {
    const project = createProject({ 'tsconfig.json': '{}', 'auth-schema.ts': 'mine' })
    const { code } = await project.run('schema', 'drizzle')
    expect(code).toBe(3)
    expect(project.read('auth-schema.ts')).toBe('mine')
  })

  it('leaves models of the application alone that have the names of ours', async () => {
    const text = `${PRISMA}\nmodel Limit {\n  id  Int @id\n  max Int\n}\n\nmodel Password {\n  id Int @id\n}\n`
    const project = createProject({ 'prisma/schema.prisma': text })
    const { told } = await project.run('schema', 'prisma')
    const schema = project.read('prisma/schema.prisma')
    expect(schema).toContain('model Limit {\n  id  Int @id\n  max Int\n}\n')
    expect(schema).not.toMatch(/Password\?/)
    expect(told).toContain('model Limit, which is of another kind')
  })

  it('keeps the line ends of Windows', async () => {
    const project = createProject({ 'prisma/schema.prisma': PRISMA.replaceAll('\n', '\r\n') })
    await project.run('schema', 'prisma')
    expect(project.read('prisma/schema.prisma')).not.toMatch(/[^\r]\n/)
  })

  it('makes no second schema beside one in several files', async () => {
    const files = { 'prisma/schema/user.prisma': PRISMA }
    const project = createProject(files)
    const { code, told } = await project.run('schema', 'prisma')
    expect(code).toBe(1)
    expect(told).toContain('--file')
    expect(contents(project)).toEqual(files)
  })

  it.each([
    ['db/main.prisma', { 'package.json': '{"prisma":{"schema":"db/main.prisma"}}' }],
    ['schema.prisma', {}],
  ])('finds the schema of Prisma in %s', async (file, files) => {
    const project = createProject({ ...files, [file]: PRISMA })
    await project.run('schema', 'prisma')
    expect(project.read(file)).toContain('model Account {')
  })
})
