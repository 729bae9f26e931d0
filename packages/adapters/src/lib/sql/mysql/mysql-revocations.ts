import { sql } from 'kysely'
import { COLUMNS, type RevocationSql } from '../statements/revocation-sql.ts'
import type { Row } from '../statements/statement.ts'

// Independent of the time zone of the session, also in the hour when its clock is put back.
const CLOCK = sql`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

export const MYSQL_REVOCATIONS: RevocationSql = {
  clock: CLOCK,
  end: (table, count) => {
    const row = sql`(${null}, if(${null}, coalesce(${null}, ${CLOCK}), null), ${null}, ${CLOCK})`
    return sql<Row>`
      insert into ${table} (${COLUMNS}) values ${sql.join(Array.from({ length: count }, () => row))}
      on duplicate key update
        generation = if(generation is null or values(generation) is null, null,
          greatest(generation + 1, values(generation))),
        expires = greatest(expires, values(expires)),
        changed = values(changed)
      ${sql.raw(RETURNING)}`
  },
  revocationValues: revocations =>
    revocations.flatMap(({ key, until, isGeneration, generation }) => [
      key,
      Number(isGeneration),
      generation,
      until,
    ]),
  isAmong: (column, count) =>
    sql`${column} in (${sql.join(Array.from({ length: count }, () => null))})`,
  amongValues: texts => texts,
  hasOneText: false,
}

// MariaDB reads it from that version on. To MySQL, which has no `returning`, it is a comment.
const RETURNING = '/*M!100500 returning revocationKey, generation, expires */'
