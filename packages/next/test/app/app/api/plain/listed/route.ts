import { listed } from '../../../../auth'

/** Where people sign in, on a site whose hosts are listed. */
export async function GET() {
  return Response.json(await listed.signIn(undefined, { redirect: false }))
}
