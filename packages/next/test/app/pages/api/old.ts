import type { NextApiRequest, NextApiResponse } from 'next'
import { auth } from '../../auth'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  res.json((await auth(req, res))?.user ?? null)
}
