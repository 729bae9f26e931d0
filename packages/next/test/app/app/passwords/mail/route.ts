import { mails } from '../../../passwords'

export const dynamic = 'force-dynamic'

/** What somebody finds in their mail. */
export async function GET() {
  return new Response(mails.at(-1))
}
