import { type Kind, TABLES, type Table } from './tables.ts'

/** The databases that Drizzle is told apart by. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite'

interface Words {
  readonly module: string
  readonly table: string
  readonly types: Readonly<Record<Kind, string>>
}

const WORDS: Readonly<Record<Dialect, Words>> = {
  postgres: {
    module: 'drizzle-orm/pg-core',
    table: 'pgTable',
    types: {
      id: 'text()',
      key: 'text()',
      text: 'text()',
      integer: 'integer()',
      bigint: `bigint({ mode: 'number' })`,
      boolean: 'boolean()',
      date: `timestamp({ mode: 'date', withTimezone: true })`,
    },
  },
  mysql: {
    module: 'drizzle-orm/mysql-core',
    table: 'mysqlTable',
    types: {
      id: 'varchar({ length: 255 })',
      key: 'varchar({ length: 255 })',
      text: 'text()',
      integer: 'int()',
      bigint: `bigint({ mode: 'number' })`,
      boolean: 'boolean()',
      date: `timestamp({ mode: 'date', fsp: 3 })`,
    },
  },
  sqlite: {
    module: 'drizzle-orm/sqlite-core',
    table: 'sqliteTable',
    types: {
      id: 'text()',
      key: 'text()',
      text: 'text()',
      integer: 'integer()',
      bigint: 'integer()',
      boolean: `integer({ mode: 'boolean' })`,
      date: `integer({ mode: 'timestamp_ms' })`,
    },
  },
}

/** A Drizzle schema for the adapters. */
export function drizzleSchema(dialect: Dialect): string {
  const words = WORDS[dialect]
  const body = TABLES.map(table => tableText(table, words)).join('\n')
  const used = [
    ...new Set(
      body.match(
        /\b(?:bigint|boolean|index|int|integer|primaryKey|text|timestamp|varchar|\w+Table)(?=\()/g,
      ),
    ),
  ]
  return `import { ${used.sort().join(', ')} } from '${words.module}'\n\n${body}`
}

function tableText(table: Table, { table: create, types }: Words): string {
  const [single, second] = table.primaryKey
  const columns = Object.entries(table.columns).map(([name, { kind, isRequired }]) => {
    const isKey = name === single && second === undefined
    const parts = [
      types[kind],
      isRequired && !isKey && '.notNull()',
      isKey && '.primaryKey()',
      table.unique.includes(name) && '.unique()',
      table.name === 'users' && name === 'id' && '.$defaultFn(() => crypto.randomUUID())',
      table.isOfUser &&
        name === 'userId' &&
        `.references(() => usersTable.id, { onDelete: 'cascade' })`,
    ]
    return `    ${name}: ${parts.filter(Boolean).join('')},`
  })
  const extras = [
    ...(second === undefined
      ? []
      : [`primaryKey({ columns: [${table.primaryKey.map(name => `table.${name}`).join(', ')}] })`]),
    ...table.indexes.map(names => {
      const columns = names.map(name => `table.${name}`).join(', ')
      return `index('${table.name}_${names.join('_')}_idx').on(${columns})`
    }),
  ]
  const more =
    extras.length > 0 ? `\n  table => [\n${extras.map(each => `    ${each},\n`).join('')}  ],` : ''
  return `export const ${table.export} = ${create}(\n  '${table.name}',\n  {\n${columns.join('\n')}\n  },${more}\n)\n`
}
