import { auth } from '../auth.server'
import type { Route } from './+types/rename'

export async function action(args: Route.ActionArgs) {
  const name = (await args.request.formData()).get('name')
  return Response.json(await auth.update(args, { name }))
}
