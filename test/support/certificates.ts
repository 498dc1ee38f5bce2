import { join } from "node:path";

/** A certificate that no authority vouches for, and its key: paths of PEM files. */
export type Certificate = { readonly certFile: string; readonly keyFile: string };

/** Makes one for this machine, made out to the name, that is good from now on. */
export async function makeCertificate(folder: string, name: string, days = 2): Promise<Certificate> {
  const certFile = join(folder, `${name}.crt`);
  const keyFile = join(folder, `${name}.key`);
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", String(days)];
  const owner = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  await Bun.$`openssl req -x509 ${kind} ${owner} -keyout ${keyFile} -out ${certFile}`.quiet();
  return { certFile, keyFile };
}
