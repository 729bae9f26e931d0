import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, Option } from 'commander'
import type { AddTo } from '../command.ts'
import { CommandError, EXIT, type ExitCode, type World } from '../environment.ts'
import { readJson, readText, writeText } from '../project/files.ts'
import { type Project, readProject } from '../project/project.ts'
import { writeNew } from '../project/write-new.ts'
import { type Dialect, drizzleSchema } from '../schema/drizzle.ts'
import { prismaSchema } from '../schema/prisma.ts'

interface SchemaOptions {
  readonly dialect?: Dialect
  readonly file?: string
  readonly print?: true
}

const HELP = `
Prisma: adds the models and fields that are missing to prisma/schema.prisma. What is there stays.
Drizzle: writes auth-schema.ts, for DrizzleAdapter(db, tables).
Both fit the published adapters, and ours, without naming tables.

Examples:
  $ siteauth schema                              for the ORM that the project has
  $ siteauth schema drizzle --dialect mysql
  $ siteauth schema prisma --print               shows it, and writes nothing`

export const schemaCommand: AddTo = (program, world, done) => {
  program
    .command('schema')
    .description('write the tables as a Drizzle or Prisma schema')
    .addArgument(new Argument('[orm]').choices(['drizzle', 'prisma']))
    .addOption(
      new Option('--dialect <name>', 'for Drizzle').choices(['postgres', 'mysql', 'sqlite']),
    )
    .option('--file <file>', 'where to write it')
    .option('--print', 'print it, and write nothing')
    .addHelpText('after', HELP)
    .action(async (given: 'drizzle' | 'prisma' | undefined, options: SchemaOptions) => {
      const project = readProject(world.cwd)
      const orm = given ?? project.orm
      if (!orm) {
        throw new CommandError(
          'This project has neither Prisma nor Drizzle. Name one, or use siteauth migrate.',
        )
      }
      const write = orm === 'prisma' ? writePrisma : writeDrizzle
      done(await write(world, options, project))
    })
}

async function writeDrizzle(
  world: World,
  options: SchemaOptions,
  project: Project,
): Promise<ExitCode> {
  const text = drizzleSchema(options.dialect ?? dialectOf(world.cwd))
  if (options.print) {
    world.write(text)
    return EXIT.ok
  }
  const path = options.file ?? `${project.sources}auth-schema.${project.language}`
  const written = await writeNew(world, { path, text, isNamed: options.file !== undefined })
  world.tell(`${written.padEnd(9)} ${path}\n`)
  if (written === 'kept') return EXIT.attention
  world.tell(
    `\nName it in drizzle.config, run npx drizzle-kit generate, and hand the tables to the adapter:\n` +
      `    import * as tables from './${path.replace(/^src\//, '').replace(/\.[jt]s$/, '')}'\n` +
      `    adapter: DrizzleAdapter(db, tables)\n`,
  )
  return EXIT.ok
}

async function writePrisma(world: World, options: SchemaOptions): Promise<ExitCode> {
  const path = options.file ?? prismaFile(world.cwd)
  const before = readText(resolve(world.cwd, path))
  const { schema, added, foreign } = prismaSchema(before ?? EMPTY)
  for (const model of foreign) {
    world.tell(`left      model ${model}, which is of another kind: our adapters cannot use it\n`)
  }
  if (options.print) {
    world.write(schema)
    return EXIT.ok
  }
  if (before !== null && added.length === 0) {
    world.tell(`unchanged ${path}\n`)
    return EXIT.ok
  }
  const isNamed = options.file !== undefined
  writeText({ folder: world.cwd, file: path, isNamed, text: schema })
  world.tell(`written   ${path}\n${added.map(each => `  + ${each}\n`).join('')}`)
  world.tell('\nThen: npx prisma migrate dev\n')
  return EXIT.ok
}

/** The schema of a project. Of one in several files, nobody can tell which is meant. */
function prismaFile(folder: string): string {
  const { prisma } = readJson(join(folder, 'package.json')) ?? {}
  const { schema: named } = Object(prisma) as { schema?: unknown } // whatever was written
  const usual = [named, 'prisma/schema.prisma', 'schema.prisma'].filter(
    each => typeof each === 'string',
  )
  const found = usual.find(each => readText(join(folder, each)) !== null)
  if (found) return found
  const folders = ['prisma', 'prisma/schema', ...usual].map(each => join(folder, each))
  const hasOthers = folders
    .filter(each => statSync(each, { throwIfNoEntry: false })?.isDirectory())
    .some(each => readdirSync(each).some(file => file.endsWith('.prisma')))
  if (!hasOthers) return 'prisma/schema.prisma'
  throw new CommandError(
    'The Prisma schema is in several files. Say with --file which one to add to.',
  )
}

const EMPTY = `generator client {
  provider = "prisma-client"
  output   = "../generated/prisma"
}

datasource db {
  provider = "postgresql"
}
`

/** The database that drizzle.config names, or that the code of the project talks to. */
function dialectOf(folder: string): Dialect {
  const config = ['ts', 'js', 'mjs'].flatMap(
    extension => readText(join(folder, `drizzle.config.${extension}`)) ?? [],
  )
  const [, named = ''] = /dialect:\s*['"](\w+)['"]/.exec(config.join('\n')) ?? []
  if (/sqlite|turso/.test(named)) return 'sqlite'
  return named === 'mysql' || named === 'singlestore' ? 'mysql' : 'postgres'
}
