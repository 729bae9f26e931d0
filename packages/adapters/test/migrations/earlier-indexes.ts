import { readFileSync } from 'node:fs'

const GUIDE = new URL('../../../../docs/guide/migrations.md', import.meta.url)

/** The statements of the guide that bring back the indexes of the version before. */
export function earlierIndexes(kind: 'PostgreSQL' | 'MySQL' | 'SQLite'): readonly string[] {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split(new RegExp(`^### ${kind}.*$`, 'm'))
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(section) ?? []
  return block
    .trim()
    .split(';\n')
    .map(statement => statement.replace(/;$/, ''))
}

/** The steps that undo them. */
export const INDEX_STEPS: readonly string[] = [
  'create index on sessions (userId, expires)',
  'drop index on sessions (userId)',
  'create index on tracked_sessions (userId, expires)',
  'drop index on tracked_sessions (userId)',
]
