/** What the process has computed so far, in microseconds. */
export async function POST() {
  const { user, system } = process.cpuUsage()
  return Response.json(user + system)
}
