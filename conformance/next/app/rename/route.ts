import { unstable_update } from '../../auth'

export async function POST(request: Request) {
  const name = String((await request.formData()).get('name'))
  return Response.json(await unstable_update({ name } as object))
}
