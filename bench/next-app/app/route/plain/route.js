import { headers } from 'next/headers'

export async function GET() {
  await headers()
  return Response.json({ hello: 'Ann Example' })
}
