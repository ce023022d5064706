/** One icon of lucide as SVG text: the package types its index alone, which a browser test would load as a whole. */
declare module "lucide-static/dist/esm/icons/*" {
  const svg: string;
  export default svg;
}
