import type { StaffWords } from "../en/staff-pages.ts";
import { admin } from "./admin.ts";
import { records } from "./records.ts";
import { skin } from "./skin.ts";
import { setup } from "./setup.ts";
import { staff } from "./staff.ts";
import { grants } from "./grants.ts";
import { findings } from "./findings.ts";

export const staffPages = {
  admin,
  records,
  skin,
  setup,
  staff,
  grants,
  findings,
} satisfies StaffWords;
