/** A model that the Prisma adapter reads and writes, with the fields it cannot do without. */
export interface PrismaModel {
  readonly name: string
  readonly fields: readonly string[]
}

export const PRISMA_MODELS: readonly PrismaModel[] = [
  { name: 'User', fields: ['id', 'name', 'email', 'emailVerified', 'image'] },
  {
    name: 'Account',
    fields: [
      'userId',
      'type',
      'provider',
      'providerAccountId',
      'refresh_token',
      'access_token',
      'expires_at',
      'token_type',
      'scope',
      'id_token',
      'session_state',
    ],
  },
  { name: 'Session', fields: ['sessionToken', 'userId', 'expires'] },
  { name: 'VerificationToken', fields: ['identifier', 'token', 'expires'] },
]

/** What a schema lacks of a model: its name if it is not there at all, or the names of fields. */
export function missingFields(schema: string, { name, fields }: PrismaModel): readonly string[] {
  const body = modelBody(schema, name)
  if (body === null) return [`model ${name}`]
  return fields
    .filter(field => !new RegExp(`^\\s*${field}\\s`, 'm').test(body))
    .map(field => `${name}.${field}`)
}

/** What is between the braces of a model; null if there is none of that name. */
export function modelBody(schema: string, name: string): string | null {
  const [, body] = new RegExp(`^model\\s+${name}\\s*\\{([\\s\\S]*?)^\\}`, 'm').exec(schema) ?? []
  return body ?? null
}
