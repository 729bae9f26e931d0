import { auth } from '../../../auth'

export const GET = async () => Response.json(await auth())
