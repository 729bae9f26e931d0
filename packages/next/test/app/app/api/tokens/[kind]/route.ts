import { showToken } from '../../../../show-token'

export async function GET(_request: Request, { params }: { params: Promise<{ kind: string }> }) {
  return Response.json(await showToken((await params).kind))
}
