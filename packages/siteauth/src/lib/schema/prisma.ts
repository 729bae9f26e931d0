import { modelBody } from './prisma-fields.ts'
import { type Kind, TABLES, type Table } from './tables.ts'

const TYPES: Readonly<Record<Kind, string>> = {
  id: 'String',
  key: 'String',
  text: 'String',
  integer: 'Int',
  bigint: 'BigInt',
  boolean: 'Boolean',
  date: 'DateTime',
}

/** What a database is told beyond Prisma's own types. */
const NATIVE: Readonly<Record<string, Readonly<Partial<Record<Kind, string>>>>> = {
  // Without it, there would be no time zone, and whoever reads by another driver would guess.
  postgresql: { date: ' @db.Timestamptz(6)' },
  mysql: { text: ' @db.Text' },
}

/** What was added to a schema. */
export interface ChangedSchema {
  readonly schema: string
  /** In words: models, and fields of models that were there. */
  readonly added: readonly string[]
  /** Models of the application that have the names of ours. */
  readonly foreign: readonly string[]
}

/** A Prisma schema with the models and fields that the adapters need. What is there stays as it is. */
export function prismaSchema(before: string): ChangedSchema {
  const [, provider = 'postgresql'] =
    /datasource\s+\w+\s*\{[^}]*provider\s*=\s*"(\w+)"/.exec(before) ?? []
  const native = NATIVE[provider] ?? {}
  const added: string[] = []
  const foreign = TABLES.filter(table => isForeign(before, table)).map(({ model }) => model)
  let schema = before
  for (const table of TABLES) {
    if (foreign.includes(table.model)) continue
    const body = modelBody(schema, table.model)
    const fields = fieldsOf(table, native).filter(({ type }) => !foreign.includes(plain(type)))
    if (body === null) {
      schema = `${schema.trimEnd()}\n\n${modelText(table, fields)}`
      added.push(`model ${table.model}`)
      continue
    }
    const missing = fields.filter(({ name }) => !new RegExp(`^\\s*${name}\\s`, 'm').test(body))
    // Two relations between the same models would need names: a relation that is there is enough.
    const wanted = missing.filter(({ type }) => !isRelation(type) || !hasRelation(body, type))
    if (wanted.length === 0) continue
    // Rows that are there have no value for a new column.
    const lines = wanted.map(field => `  ${fieldText({ ...field, isRequired: false })}\n`).join('')
    const start = schema.indexOf(
      body,
      schema.search(new RegExp(`^model\\s+${table.model}\\b`, 'm')),
    )
    const split = start + lengthOfFields(body)
    schema = `${schema.slice(0, split)}${lines}${schema.slice(split)}`
    added.push(...wanted.map(({ name }) => `${table.model}.${name}`))
  }
  const lineBreak = before.includes('\r\n') ? '\r\n' : '\n'
  return { schema: `${schema.trim()}\n`.replaceAll(/\r?\n/g, lineBreak), added, foreign }
}

/** Whether a model that only our own adapters know is there, and means something else. */
function isForeign(schema: string, { model, isPublished, primaryKey }: Table): boolean {
  const body = modelBody(schema, model)
  if (isPublished || body === null) return false
  return !primaryKey.every(name => new RegExp(`^\\s*${name}\\s`, 'm').test(body))
}

interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly attributes: string
}

function fieldsOf(table: Table, native: Readonly<Partial<Record<Kind, string>>>): readonly Field[] {
  const [single, second] = table.primaryKey
  const columns = Object.entries(table.columns).map(([name, { kind, isRequired }]): Field => {
    const parts = [
      name === single && second === undefined && ' @id',
      table.name === 'users' && name === 'id' && ' @default(cuid())',
      table.unique.includes(name) && ' @unique',
      native[kind],
    ]
    return { name, type: TYPES[kind], isRequired, attributes: parts.filter(Boolean).join('') }
  })
  if (table.isOfUser) {
    const relation = ' @relation(fields: [userId], references: [id], onDelete: Cascade)'
    return [...columns, { name: 'user', type: 'User', isRequired: true, attributes: relation }]
  }
  if (table.name !== 'users') return columns
  const owned = TABLES.filter(({ isOfUser }) => isOfUser).map(
    ({ model, name, primaryKey }): Field => {
      // A user has one password: its key is the user's.
      const isOne = primaryKey.join() === 'userId'
      return isOne
        ? { name: 'password', type: model, isRequired: false, attributes: '' }
        : { name, type: `${model}[]`, isRequired: true, attributes: '' }
    },
  )
  return [...columns, ...owned]
}

function modelText(table: Table, fields: readonly Field[]): string {
  const blocks = [
    ...(table.primaryKey.length > 1 ? [`@@id([${table.primaryKey.join(', ')}])`] : []),
    ...table.indexes.map(names => `@@index([${names.join(', ')}])`),
    `@@map("${table.name}")`,
  ]
  const lines = [...fields.map(fieldText), '', ...blocks].map(line => (line ? `  ${line}` : ''))
  return `model ${table.model} {\n${lines.join('\n')}\n}\n`
}

function fieldText({ name, type, isRequired, attributes }: Field): string {
  const optional = isRequired || type.endsWith('[]') || attributes.includes('@relation') ? '' : '?'
  return `${name.padEnd(20)} ${type}${optional}${attributes}`
}

function plain(type: string): string {
  return type.replace('[]', '')
}

function isRelation(type: string): boolean {
  return TABLES.some(({ model }) => plain(type) === model)
}

function hasRelation(body: string, type: string): boolean {
  return new RegExp(`\\s${plain(type)}(?:\\[\\]|\\?|\\s|$)`, 'm').test(body)
}

/** Fields come before what is said of the model as a whole. */
function lengthOfFields(body: string): number {
  const at = body.search(/^\s*@@/m)
  if (at === -1) return body.length
  // An empty line in front of it belongs to it.
  return body.slice(0, at).trimEnd().length + 1
}
