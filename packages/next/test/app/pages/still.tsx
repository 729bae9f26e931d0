export const getStaticProps = () => ({ props: {}, revalidate: 3600 })

export default function Still() {
  return <p>still</p>
}
