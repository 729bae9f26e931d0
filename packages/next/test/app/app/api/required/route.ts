import { auth, requireSession } from '../../../auth'

const allow = ({ user }: { user: { name?: string | null } }) => user.name !== 'Rota'

/** For people who are signed in, in a handler that `auth` wraps. */
export const GET = auth(async () => Response.json((await requireSession({ allow })).user))

/** The same in one that it does not wrap. */
export async function POST() {
  return Response.json((await requireSession({ allow })).user)
}
